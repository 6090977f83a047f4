import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Output } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Nothing } from '../../ui/card.tsx';
import { OutsideLink } from '../../ui/outside-link.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { TextField } from '../../ui/text-field.tsx';
import classes from './question-box.module.css';

type Passage = Output<'query_knowledge'>['results'][number];

/** Asks a knowledge base what a caller would ask, and shows what it finds. */
export function QuestionBox({ kbId }: { kbId: string }) {
  const { api } = useSession();
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState('');
  const answer = useQuery({
    queryKey: ['query_knowledge', kbId, asked],
    queryFn: ({ signal }) => api.call('query_knowledge', { kbId, query: asked, limit: 5 }, signal),
    enabled: asked !== '',
  });
  const ask = (event: FormEvent) => {
    event.preventDefault();
    const question = typed.trim();
    if (question === '') return;
    if (question === asked) void answer.refetch();
    else setAsked(question);
  };
  return (
    <Card
      title="Ask it"
      about="Ask as a caller would. These are the passages that a conversation gets to see."
    >
      <form onSubmit={ask} className={classes.form}>
        <TextField
          label="Question"
          value={typed}
          maxLength={10_000}
          autoComplete="off"
          dir="auto"
          onChange={setTyped}
        />
        <Button type="submit" variant="primary" size="large" isBusy={answer.isFetching}>
          Ask
        </Button>
      </form>
      <div aria-live="polite" className={classes.answer}>
        {asked !== '' && (
          <QueryView query={answer} what="the passages">
            {({ results }) =>
              results.length === 0 ? (
                <Nothing>No passage fits this question.</Nothing>
              ) : (
                <ol className={classes.passages} aria-label="Passages, the best first">
                  {results.map((passage) => (
                    <li key={`${passage.sourceId} ${passage.url} ${passage.heading} ${passage.text}`}>
                      <PassageView passage={passage} />
                    </li>
                  ))}
                </ol>
              )
            }
          </QueryView>
        )}
      </div>
    </Card>
  );
}

function PassageView({ passage: { sourceName, url, heading, text, score } }: { passage: Passage }) {
  const percent = Math.round(score * 100);
  return (
    <>
      <p className={classes.source}>
        <span>
          <bdi>{sourceName}</bdi>
          {heading && (
            <>
              {' › '}
              <bdi>{heading}</bdi>
            </>
          )}
          {url && (
            <>
              {' · '}
              <OutsideLink href={url}>{url}</OutsideLink>
            </>
          )}
        </span>
        <span className={classes.score}>
          <meter min={0} max={1} value={score} aria-hidden="true" /> fits {percent} %
        </span>
      </p>
      <p className={classes.text} dir="auto">
        {text}
      </p>
    </>
  );
}
