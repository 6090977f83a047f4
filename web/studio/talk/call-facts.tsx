import { Tabs } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import type { Design } from '../../api/operations.ts';
import { CoverageList } from '../calls/coverage-list.tsx';
import facts from '../calls/facts.module.css';
import { PathList } from '../calls/path-list.tsx';
import { joinedCoverage, joinedPath, valueInWords } from '../calls/played-call.ts';
import { RequestList } from '../calls/request-list.tsx';
import { MocksForm } from './mocks-form.tsx';
import classes from './talk.module.css';
import type { Call } from './use-call.ts';

/** What a call knows and did so far, a part at a time. */
export function CallFacts({ design, call }: { design: Design; call: Call }) {
  const { exchanges } = call;
  const reports = exchanges.map(({ report }) => report);
  const last = reports.at(-1);
  const variables = Object.entries(last?.variables ?? {});
  const requests = reports.flatMap((report) => report.requests);
  const notes = [...new Set(reports.flatMap((report) => report.notes))];
  const parts: readonly { title: string; count?: number; content: ReactNode }[] = [
    {
      title: 'Path',
      content: (
        <PathList
          design={design}
          path={joinedPath(reports.map(({ path }) => path))}
          isOver={Boolean(last?.ended)}
        />
      ),
    },
    {
      title: 'Variables',
      count: variables.length,
      content:
        variables.length === 0 ? (
          <p className={classes.muted}>The call knows nothing yet.</p>
        ) : (
          <dl className={facts.values}>
            {variables.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{valueInWords(value)}</dd>
              </div>
            ))}
          </dl>
        ),
    },
    {
      title: 'Requests',
      count: requests.length,
      content: (
        <>
          <RequestList design={design} requests={requests} />
          <MocksForm key={JSON.stringify(call.mocks)} design={design} call={call} />
        </>
      ),
    },
    {
      title: 'Notes',
      count: notes.length,
      content:
        notes.length === 0 ? (
          <p className={classes.muted}>Nothing failed, and no placeholder was empty.</p>
        ) : (
          <ul className={facts.list}>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        ),
    },
    {
      title: 'Coverage',
      content: <CoverageList coverage={joinedCoverage(reports.map(({ coverage }) => coverage))} />,
    },
  ];
  return (
    <Tabs.Root defaultValue="Path" className={classes.facts}>
      <Tabs.List aria-label="About the call" className={classes.factTabs}>
        {parts.map(({ title, count = 0 }) => (
          <Tabs.Tab key={title} value={title} className={classes.factTab}>
            {title}
            {count > 0 && ` ${count}`}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {parts.map(({ title, content }) => (
        <Tabs.Panel key={title} value={title} className={classes.factPanel}>
          {content}
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  );
}
