import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import type { Output } from '../../api/client.ts';
import { useRefusal } from '../../api/session.ts';
import { useChange, useOperation } from '../../api/use-operation.ts';
import { Badge } from '../../ui/badge.tsx';
import { ActionButton } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toasts.tsx';
import type { Conversation } from '../../versions/conversation.ts';
import { useDesign, useVersionInAddress, useVersions } from '../../versions/use-versions.ts';
import { VersionSelect } from '../../versions/version-select.tsx';
import { ProposalsDialog } from './proposals-dialog.tsx';
import { RunSummary } from './run-summary.tsx';
import { ScenarioCall } from './scenario-call.tsx';
import classes from './scenarios.module.css';

type Scenarios = Output<'list_scenarios'>;
type Run = Output<'run_scenarios'>;

/** The saved calls of a conversation: what each expects, and whether a version does it. */
export default function ScenariosTab({ conversation }: { conversation: Conversation }) {
  const { id, activeVersion } = conversation;
  const versions = useVersions(id);
  const scenarios = useOperation('list_scenarios', { id, limit: 200 });
  const [chosen, choose] = useVersionInAddress('version');
  return (
    <QueryView query={versions} what="the versions">
      {({ versions }) => {
        const version = chosen ?? versions[0]?.n ?? activeVersion;
        return (
          <QueryView query={scenarios} what="the scenarios">
            {(list) => (
              <>
                <div className={classes.bar}>
                  <VersionSelect label="Play on" versions={versions} value={version} onChange={choose} />
                  {version === activeVersion ? (
                    <Badge tone="good">live</Badge>
                  ) : (
                    <Badge tone="accent">not live</Badge>
                  )}
                </div>
                <VersionScenarios key={version} id={id} version={version} list={list} />
              </>
            )}
          </QueryView>
        );
      }}
    </QueryView>
  );
}

interface VersionScenariosProps {
  readonly id: string;
  readonly version: number;
  readonly list: Scenarios;
}

function VersionScenarios({ id, version, list }: VersionScenariosProps) {
  const design = useDesign(id, version).data;
  const run = useChange('run_scenarios');
  const [isProposing, setProposing] = useState(false);
  const [parameters, setParameters] = useSearchParams();
  const open = parameters.get('scenario') ?? undefined;
  const hrefOf = (scenario: string) => {
    const next = new URLSearchParams(parameters);
    next.set('scenario', scenario);
    return `/conversations/${id}/scenarios?${next}`;
  };
  const close = () =>
    setParameters(
      (now) => {
        const next = new URLSearchParams(now);
        next.delete('scenario');
        return next;
      },
      { replace: true },
    );
  const { scenarios } = list;
  return (
    <>
      <div className={classes.bar}>
        <ActionButton
          needs="draft"
          variant="primary"
          isBusy={run.isPending}
          refusal={scenarios.length === 0 ? 'There is no scenario to run.' : undefined}
          onClick={() => run.mutate({ id, version })}
        >
          Run all
        </ActionButton>
        <ActionButton needs="draft" onClick={() => setProposing(true)}>
          Propose scenarios…
        </ActionButton>
        <RequiredSwitch id={id} isRequired={list.requireScenarios} />
      </div>
      {run.error && <ErrorNotice error={run.error} />}
      {run.data && design && <RunSummary run={run.data} design={design} hrefOf={hrefOf} />}
      {scenarios.length === 0 ? (
        <Empty title="No scenarios yet">
          <p>
            A scenario is a call that every version has to master. Talk to a version and save the call, or let
            Parley propose some.
          </p>
          <p>
            <Link href={`/conversations/${id}/talk`}>Talk to it</Link>
          </p>
        </Empty>
      ) : (
        <Table
          label="Scenarios"
          rows={failedFirst(scenarios, run.data)}
          idOf={(scenario) => scenario.id}
          columns={[
            {
              title: 'Scenario',
              cell: (scenario) => (
                <>
                  <Link href={hrefOf(scenario.id)} aria-current={scenario.id === open || undefined}>
                    {scenario.name}
                  </Link>{' '}
                  {scenario.tags.map((tag) => (
                    <Badge key={tag}>{tag}</Badge>
                  ))}
                </>
              ),
            },
            { title: 'Last result', cell: (scenario) => <Result {...scenario} /> },
            {
              title: 'Played',
              isMinor: true,
              cell: ({ result }) => (result ? <Time value={result.playedAt} /> : 'never'),
            },
          ]}
        />
      )}
      {open !== undefined && design && (
        <ScenarioCall
          key={open}
          id={id}
          scenarioId={open}
          version={version}
          design={design}
          onClose={close}
        />
      )}
      {isProposing && (
        <ProposalsDialog
          id={id}
          version={version}
          names={new Set(scenarios.map(({ name }) => name))}
          onClose={() => setProposing(false)}
        />
      )}
    </>
  );
}

/** Those that failed in this run come first, or else those whose last result is a failure. */
function failedFirst(scenarios: Scenarios['scenarios'], run: Run | undefined) {
  const held = new Map(run?.scenarios.map(({ id, holds }) => [id, holds]));
  const rank = ({ id, result }: Scenarios['scenarios'][number]) =>
    (held.get(id) ?? result?.holds) === false ? 0 : 1;
  return scenarios.toSorted((one, other) => rank(one) - rank(other));
}

function Result({ result }: Scenarios['scenarios'][number]) {
  if (!result) return 'not played yet';
  return (
    <>
      <Badge tone={result.holds ? 'good' : 'danger'}>{result.holds ? 'passed' : 'failed'}</Badge>{' '}
      <span className={classes.version}>on version {result.version}</span>
    </>
  );
}

function RequiredSwitch({ id, isRequired }: { id: string; isRequired: boolean }) {
  const change = useChange('update_conversation', { waits: true });
  const toast = useToast();
  const refusal = useRefusal('publish');
  /** What has been chosen, until the list of scenarios says the same. */
  const [chosen, setChosen] = useState<boolean>();
  const choose = (requireScenarios: boolean) => {
    setChosen(requireScenarios);
    change.mutate(
      { id, requireScenarios },
      {
        onSuccess: () =>
          toast(
            requireScenarios
              ? 'From now on, all scenarios have to pass before a version goes live.'
              : 'Versions may go live without scenarios.',
          ),
        onSettled: () => setChosen(undefined),
      },
    );
  };
  return (
    <div>
      <Checkbox isChecked={chosen ?? isRequired} refusal={refusal} onChange={choose}>
        Required before a version goes live
      </Checkbox>
      {change.error && <ErrorNotice error={change.error} />}
    </div>
  );
}
