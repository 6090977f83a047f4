import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Input, Output } from '../../api/client.ts';
import type { Design } from '../../api/operations.ts';
import { useRefusal, useSession } from '../../api/session.ts';
import { useChange, useOperation } from '../../api/use-operation.ts';
import { Badge } from '../../ui/badge.tsx';
import { ActionButton, Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { type Expectation, endInWords, expectationInWords, type Report } from '../calls/played-call.ts';
import { RequestList } from '../calls/request-list.tsx';
import { RunDrawing } from '../calls/run-drawing.tsx';
import { LineItem, Transcript } from '../calls/transcript.tsx';
import classes from './scenarios.module.css';

type Scenario = Output<'get_scenario'>;
type Play = Input<'simulate_conversation'>;

interface ScenarioCallProps {
  readonly id: string;
  readonly scenarioId: string;
  readonly version: number;
  readonly design: Design;
  readonly onClose: () => void;
}

/** One scenario, played on a version: what it expects, what was said, and where it went wrong. */
export function ScenarioCall(props: ScenarioCallProps) {
  const scenario = useOperation('get_scenario', { scenarioId: props.scenarioId });
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    section.current?.scrollIntoView({ block: 'nearest' });
    section.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section ref={section} tabIndex={-1} className={classes.scenario} aria-label="Scenario">
      <QueryView query={scenario} what="the scenario">
        {(record) => <Played {...props} scenario={record} />}
      </QueryView>
    </section>
  );
}

function Played({ id, version, design, scenario, onClose }: ScenarioCallProps & { scenario: Scenario }) {
  const { api } = useSession();
  const refusal = useRefusal('draft');
  const toast = useToast();
  const remove = useChange('delete_scenario');
  const { id: _, name, tags: __, updatedAt: ___, results, ...content } = scenario;
  const play = useQuery({
    queryKey: ['play', id, version, content],
    queryFn: ({ signal }) =>
      api.call('simulate_conversation', { id, version, ...(content as Omit<Play, 'id'>) }, signal),
    enabled: refusal === undefined,
  });
  return (
    <>
      <div className={classes.bar}>
        <h2>{name}</h2>
        <span className={classes.muted}>on version {version}</span>
        <span className={classes.end}>
          <ActionButton
            needs="draft"
            size="small"
            isBusy={play.isFetching}
            onClick={() => void play.refetch()}
          >
            Play again
          </ActionButton>
          <ActionButton
            needs="draft"
            size="small"
            isBusy={remove.isPending}
            onClick={() =>
              remove.mutate(
                { scenarioId: scenario.id },
                {
                  onSuccess: () => {
                    toast(`“${name}” is in the trash for 30 days.`);
                    onClose();
                  },
                },
              )
            }
          >
            Delete
          </ActionButton>
          <Button size="small" onClick={onClose}>
            Close
          </Button>
        </span>
      </div>
      {remove.error && <ErrorNotice error={remove.error} />}
      {refusal !== undefined ? (
        <p>{refusal}</p>
      ) : (
        <QueryView query={play} what="the call">
          {(report) => (
            <div className={classes.columns}>
              <div>
                <Expectations design={design} report={report} />
                <PlayedLines design={design} report={report} />
                {report.requests.length > 0 && (
                  <>
                    <h3>Requests</h3>
                    <RequestList design={design} requests={report.requests} />
                  </>
                )}
              </div>
              <RunDrawing of={{ kind: 'conversation', id }} version={version} run={drawnRun(content)} />
            </div>
          )}
        </QueryView>
      )}
      <h3>Results</h3>
      {results.length === 0 ? (
        <p className={classes.muted}>It has not been run yet.</p>
      ) : (
        <ul className={classes.results}>
          {results.map((result) => (
            <li key={result.version}>
              Version {result.version}{' '}
              <Badge tone={result.holds ? 'good' : 'danger'}>{result.holds ? 'passed' : 'failed'}</Badge>{' '}
              <span className={classes.muted}>
                <Time value={result.playedAt} />
                {result.model !== null && ', with a model'}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Expectations({ design, report: { expectations } }: { design: Design; report: Report }) {
  if (expectations.length === 0) return <p className={classes.muted}>It expects nothing.</p>;
  const failures = expectations.filter(({ holds }) => !holds).length;
  return (
    <>
      <h3>
        {failures === 0 ? 'Everything holds' : `${failures} of ${expectations.length} expectations failed`}
      </h3>
      <ul className={classes.expectations}>
        {expectations
          .toSorted((one, other) => Number(one.holds) - Number(other.holds))
          .map((expectation) => (
            <li key={JSON.stringify(expectation)}>
              <Badge tone={expectation.holds ? 'good' : 'danger'}>
                {expectation.holds ? 'holds' : 'failed'}
              </Badge>{' '}
              {expectationInWords(design, expectation)}
              {!expectation.holds && <span className={classes.found}> Found: {expectation.found}</span>}
            </li>
          ))}
      </ul>
    </>
  );
}

function PlayedLines({ design, report }: { design: Design; report: Report }) {
  const { transcript, ended, notes, expectations } = report;
  const failed = new Set(expectations.filter(({ holds }) => !holds).map((one) => failedLine(report, one)));
  return (
    <>
      <h3>What was said</h3>
      <Transcript label="What was said">
        {transcript.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what was said does not change
          <LineItem key={index} design={design} line={line} hasFailed={failed.has(index)} />
        ))}
      </Transcript>
      <p className={classes.muted}>{ended ? endInWords(design, ended) : 'The agent still listens.'}</p>
      {notes.length > 0 && (
        <ul>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The index of the line at which an expectation was decided: the last one of that step, or the last of the call. */
function failedLine({ transcript }: Report, { decidedAt }: Expectation): number {
  const { step } = (decidedAt ?? {}) as { readonly step?: string };
  const index = transcript.findLastIndex((line) => line.step === step);
  return index === -1 ? transcript.length - 1 : index;
}

/** A drawing asks no model, so it shows what needs none: no judge, and the beginning of a call that a model plays. */
function drawnRun(content: Pick<Scenario, 'caller' | 'expect' | 'mocks' | 'variables' | 'channel' | 'now'>) {
  const { caller, expect = [], ...start } = content;
  const isPersona = 'persona' in caller;
  return {
    ...start,
    caller: isPersona ? {} : caller,
    ...(isPersona ? {} : { expect: expect.filter((one) => !('judge' in one)) }),
  };
}
