import { Fragment, useEffect, useRef, useState } from 'react';
import type { Design } from '../../api/operations.ts';
import { ActionButton, Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import type { Conversation } from '../../versions/conversation.ts';
import type { Played } from '../calls/played.ts';
import { type CallerTurn, destinationInWords, endInWords, type Report } from '../calls/played-call.ts';
import { RunDrawing } from '../calls/run-drawing.tsx';
import { Happening, LineItem, Transcript } from '../calls/transcript.tsx';
import { CallFacts } from './call-facts.tsx';
import { SaveDialog } from './save-dialog.tsx';
import classes from './talk.module.css';
import { TurnForm } from './turn-form.tsx';
import { type Call, type Exchange, scriptOf, useCall } from './use-call.ts';
import { useHeightToBottom } from './use-height-to-bottom.ts';
import { useSpeaker } from './use-speaker.ts';

interface CallViewProps {
  readonly of: Played;
  readonly version: number;
  readonly design: Design;
  /** The profile whose voice speaks; null for the usual voice. */
  readonly agentProfileId: string | null;
  /** What keeps calls as scenarios; a flow has none. */
  readonly conversation?: Conversation;
}

/** A call: what is said, where it is in the drawing, and what it knows. */
export function CallView({ of, version, design, agentProfileId, conversation }: CallViewProps) {
  const call = useCall(of, version);
  const speaker = useSpeaker(agentProfileId);
  const section = useHeightToBottom();
  const [isSaving, setSaving] = useState(false);
  const { exchanges } = call;
  const play = async (turn: CallerTurn, isSpoken = false) => {
    const report = await call.play(turn);
    if (report && (speaker.isOn || isSpoken)) await speaker.speak(repliesOf(report));
  };
  const hasTurns = exchanges.length > 1;
  return (
    <div className={classes.columns}>
      <section ref={section} aria-label="Call" className={classes.call}>
        <div className={classes.callBar}>
          <h2>Call</h2>
          <Button size="small" onClick={call.restart}>
            Start again
          </Button>
          {conversation && (
            <ActionButton
              needs="draft"
              size="small"
              refusal={hasTurns ? undefined : 'Say something first.'}
              onClick={() => setSaving(true)}
            >
              Save as scenario…
            </ActionButton>
          )}
        </div>
        {call.mocks.transfers === 'fail' && (
          <p className={classes.setting}>
            In this call nobody answers when the agent puts the caller through.{' '}
            <Button size="small" isBusy={call.isPlaying} onClick={() => call.replayTransfers('succeed')}>
              Play again as if somebody answers
            </Button>
          </p>
        )}
        <Exchanges design={design} call={call} />
        <TurnForm call={call} speaker={speaker} onTurn={play} />
      </section>
      <div className={classes.side}>
        <RunDrawing
          of={of}
          version={version}
          run={{ caller: { script: scriptOf(exchanges) }, mocks: call.mocks }}
          inSight={placeOf(exchanges.at(-1)?.report)}
        />
        <CallFacts design={design} call={call} />
      </div>
      {isSaving && conversation && (
        <SaveDialog
          conversation={conversation}
          version={version}
          design={design}
          call={call}
          onClose={() => setSaving(false)}
        />
      )}
    </div>
  );
}

/** The step at which a call is, as drawings name it. */
function placeOf(report: Report | undefined): string | undefined {
  const step = report?.path.findLast((entry) => entry.step !== undefined)?.step;
  return step === undefined ? undefined : `step ${step}`;
}

/** What the agent said in a part of a call. */
function repliesOf({ transcript }: Report): string {
  return transcript.flatMap(({ who, text }) => (who === 'agent' ? [text] : [])).join('\n');
}

function Exchanges({ design, call }: { design: Design; call: Call }) {
  const { exchanges, isPlaying, error } = call;
  const log = useRef<HTMLDivElement>(null);
  const ended = exchanges.at(-1)?.report.ended;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is new is at the end, except when a call begins
  useEffect(() => {
    log.current?.scrollTo({ top: exchanges.length > 1 || error ? log.current.scrollHeight : 0 });
  }, [exchanges, isPlaying, error]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
    <div ref={log} role="log" aria-label="What is said" tabIndex={0} className={classes.log}>
      {exchanges.map((exchange, index) => (
        <ExchangeItem
          // biome-ignore lint/suspicious/noArrayIndexKey: exchanges are only added and removed at the end
          key={index}
          design={design}
          exchange={exchange}
          number={index}
          onGoBack={index < exchanges.length - 1 ? () => call.goBackTo(index) : undefined}
        />
      ))}
      {isPlaying && (
        <p className={classes.muted}>{exchanges.length === 0 ? 'The call begins…' : 'The agent thinks…'}</p>
      )}
      {error && <ErrorNotice error={error} onRetry={call.retry} />}
      {ended && (
        <p className={classes.end}>
          <strong>The call is over.</strong> {endInWords(design, ended)}{' '}
          {ended.reason === 'transferred' && (
            <Button size="small" isBusy={isPlaying} onClick={() => call.replayTransfers('fail')}>
              Play again as if nobody answers
            </Button>
          )}
        </p>
      )}
      {!ended && exchanges.at(-1)?.report.state === null && (
        <p className={classes.end}>The call is too long to go on. Start again, or go back.</p>
      )}
    </div>
  );
}

interface ExchangeItemProps {
  readonly design: Design;
  readonly exchange: Exchange;
  /** 0 for the beginning of the call. */
  readonly number: number;
  readonly onGoBack: (() => void) | undefined;
}

function ExchangeItem({ design, exchange, number, onGoBack }: ExchangeItemProps) {
  const { turn, report } = exchange;
  const unanswered = report.path.flatMap(({ step, exit }) =>
    step !== undefined && exit === 'failed' && design.steps[step]?.kind === 'transfer' ? [step] : [],
  );
  const lastLineAt = new Map(report.transcript.map(({ step }, index) => [step, index]));
  return (
    <div className={classes.exchange}>
      <Transcript label={number === 0 ? 'Beginning' : `Turn ${number}`}>
        {typeof turn === 'object' && turn.silent && <Happening>The caller stays silent.</Happening>}
        {typeof turn === 'object' && turn.hangUp && <Happening>The caller hangs up.</Happening>}
        {report.transcript.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what was said does not change
          <Fragment key={index}>
            <LineItem design={design} line={line} />
            {line.step !== null && lastLineAt.get(line.step) === index && unanswered.includes(line.step) && (
              <Unanswered design={design} step={line.step} />
            )}
          </Fragment>
        ))}
        {unanswered.map(
          (step) => !lastLineAt.has(step) && <Unanswered key={step} design={design} step={step} />,
        )}
      </Transcript>
      {onGoBack && (
        <Button size="small" variant="quiet" onClick={onGoBack}>
          {number === 0 ? 'Go back to the beginning' : `Go back to turn ${number}`}
        </Button>
      )}
    </div>
  );
}

/** A transfer that nobody took, after which the call goes on. */
function Unanswered({ design, step }: { design: Design; step: string }) {
  return <Happening>Put through to {destinationInWords(design, step)}: nobody answers.</Happening>;
}
