import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { useOperation } from '../../api/use-operation.ts';
import { Card, Nothing } from '../../ui/card.tsx';
import { Empty } from '../../ui/empty.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { Table } from '../../ui/table.tsx';
import type { Conversation } from '../../versions/conversation.ts';
import { stepName } from '../../versions/step-lines.ts';
import { useDesign, useVersionInAddress } from '../../versions/use-versions.ts';
import { OutcomeChart } from './outcome-chart.tsx';
import { countedEnds, countsOf, reasonInWords, type VersionStatistics } from './session-words.ts';
import classes from './sessions-tab.module.css';

const ranges = [7, 30, 90] as const;
const millisecondsOfDay = 86_400_000;
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** What the sessions of each version came to, and where visitors left. */
export default function SessionsTab({ conversation: { id, activeVersion } }: { conversation: Conversation }) {
  const [range, setRange] = useState<number>(30);
  const from = useMemo(() => new Date(Date.now() - range * millisecondsOfDay).toISOString(), [range]);
  const statistics = useOperation('get_session_statistics', { id, from });
  return (
    <>
      <div className={classes.bar}>
        <SelectField
          label="Started in"
          value={String(range)}
          options={ranges.map((days) => ({ value: String(days), label: `The last ${days} days` }))}
          onChange={(value) => setRange(Number(value))}
        />
        <Link href={`/sessions?conversationId=${id}`} className={classes.all}>
          Read the sessions
        </Link>
      </div>
      <QueryView query={statistics} what="the statistics">
        {({ versions, truncated }) =>
          versions.length === 0 ? (
            <Empty title={`No sessions in the last ${range} days`}>
              As soon as visitors chat with this conversation, you see here how it went, version by version.
            </Empty>
          ) : (
            <div className={classes.parts}>
              {truncated && <p className={classes.muted}>Only the newest 50,000 sessions are counted.</p>}
              <Card title="How sessions end" about="The share of each version’s sessions.">
                <OutcomeChart versions={versions} activeVersion={activeVersion} />
              </Card>
              <Numbers versions={versions} />
              <OneVersion id={id} versions={versions} activeVersion={activeVersion} />
            </div>
          )
        }
      </QueryView>
    </>
  );
}

function Numbers({ versions }: { versions: readonly VersionStatistics[] }) {
  const shown = countedEnds.filter(
    ({ outcome }) => outcome !== 'deleted' || versions.some((one) => countsOf(one).deleted > 0),
  );
  return (
    <Table
      label="Sessions of each version"
      rows={versions}
      idOf={({ version }) => version}
      columns={[
        { title: 'Version', cell: ({ version }) => version },
        { title: 'Sessions', cell: ({ sessions }) => sessions },
        ...shown.map(({ outcome, word }) => ({
          title: word,
          isMinor: outcome !== 'completed' && outcome !== 'abandoned',
          cell: (one: VersionStatistics) => countsOf(one)[outcome],
        })),
        {
          title: 'Turns: median / 95 %',
          isMinor: true,
          cell: ({ medianTurns, p95Turns }) => (medianTurns === null ? '–' : `${medianTurns} / ${p95Turns}`),
        },
        {
          title: 'Not understood',
          isMinor: true,
          cell: ({ fallbackRate }) => (fallbackRate === null ? '–' : percent.format(fallbackRate)),
        },
      ]}
    />
  );
}

interface OneVersionProps {
  readonly id: string;
  readonly versions: readonly VersionStatistics[];
  readonly activeVersion: number;
}

/** Where visitors of one version left, and why its sessions ended. At first, the live version. */
function OneVersion({ id, versions, activeVersion }: OneVersionProps) {
  const [inAddress, choose] = useVersionInAddress('version');
  const has = (wanted: number | undefined) => versions.some(({ version }) => version === wanted);
  const chosen = [inAddress, activeVersion].find(has) ?? versions[0]?.version;
  const statistics = versions.find(({ version }) => version === chosen);
  if (!statistics) return null;
  return (
    <Card
      title={`Version ${statistics.version} in detail`}
      aside={
        versions.length > 1 && (
          <SelectField
            label="Version"
            value={String(statistics.version)}
            options={versions.map(({ version }) => ({
              value: String(version),
              label: `Version ${version}${version === activeVersion ? ' · live' : ''}`,
            }))}
            onChange={(value) => choose(Number(value))}
          />
        )
      }
    >
      <div className={classes.columns}>
        <Leavings id={id} statistics={statistics} />
        <Endings statistics={statistics} />
      </div>
    </Card>
  );
}

function Leavings({ id, statistics: { version, leftAt } }: { id: string; statistics: VersionStatistics }) {
  const design = useDesign(id, version);
  const most = Math.max(...leftAt.map(({ sessions }) => sessions));
  return (
    <section aria-labelledby="left">
      <h3 id="left">Where visitors left</h3>
      {leftAt.length === 0 ? (
        <Nothing>Nobody left before the end.</Nothing>
      ) : (
        <ol className={classes.bars}>
          {leftAt.map(({ step, sessions }) => (
            <li key={step}>
              <Link href={`/conversations/${id}?version=${version}&step=${encodeURIComponent(step)}`}>
                {design.data ? stepName(design.data, step) : step}
              </Link>
              <span className={classes.count}>
                {sessions} {sessions === 1 ? 'visitor' : 'visitors'}
              </span>
              <span className={classes.track} aria-hidden="true">
                <span className={classes.share} style={{ width: `${(sessions / most) * 100}%` }} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function Endings({ statistics: { endings } }: { statistics: VersionStatistics }) {
  const counted = Object.entries(endings).toSorted(([, one], [, other]) => other - one);
  return (
    <section aria-labelledby="endings">
      <h3 id="endings">Why sessions ended</h3>
      {counted.length === 0 ? (
        <Nothing>None has ended yet.</Nothing>
      ) : (
        <ul className={classes.endings}>
          {counted.map(([reason, count]) => (
            <li key={reason}>
              {reasonInWords(reason)} <strong>{count}</strong>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
