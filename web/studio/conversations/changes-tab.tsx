import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useText } from '../../api/use-operation.ts';
import { ActionButton } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import type { Conversation } from '../../versions/conversation.ts';
import { DifferenceList } from '../../versions/difference-list.tsx';
import { Drawing, type Place } from '../../versions/drawing.tsx';
import { useDesign, useVersionInAddress, useVersions, type Version } from '../../versions/use-versions.ts';
import { VersionSelect } from '../../versions/version-select.tsx';
import { RejectButton } from '../rejection/reject-button.tsx';
import { ActivationDialog } from './activation-dialog.tsx';
import classes from './changes-tab.module.css';
import { useActivationRefusal } from './use-activation-refusal.ts';
import { VersionChecks } from './version-checks.tsx';

/** What differs between two versions, in words and drawn, and what was found out about the newer one. */
export default function ChangesTab({ conversation }: { conversation: Conversation }) {
  const versions = useVersions(conversation.id);
  return (
    <QueryView query={versions} what="the versions">
      {({ versions }) => <Comparison conversation={conversation} versions={versions} />}
    </QueryView>
  );
}

interface ComparisonProps {
  readonly conversation: Conversation;
  readonly versions: readonly Version[];
}

function Comparison({ conversation, versions }: ComparisonProps) {
  const { id, activeVersion } = conversation;
  const newest = versions[0]?.n ?? activeVersion;
  const [to = newest, chooseTo] = useVersionInAddress('to');
  const [from = to === activeVersion && to > 1 ? to - 1 : activeVersion, chooseFrom] =
    useVersionInAddress('from');
  const [isActivating, setActivating] = useState(false);
  const chosen = versions.find(({ n }) => n === to);
  const isRejected = Boolean(chosen?.rejection);
  const refusal = useActivationRefusal(conversation, to);
  return (
    <>
      <div className={classes.bar}>
        <VersionSelect label="From" versions={versions} value={from} onChange={chooseFrom} />
        <VersionSelect label="to" versions={versions} value={to} onChange={chooseTo} />
        {to !== activeVersion && (
          <span className={classes.action}>
            <Link href={`/conversations/${id}/talk?version=${to}`}>Talk to version {to}</Link>
            {!isRejected && <RejectButton of={{ kind: 'conversation', id, version: to }} />}
            <ActionButton
              needs="publish"
              variant="primary"
              refusal={refusal}
              onClick={() => setActivating(true)}
            >
              {to < activeVersion ? `Roll back to version ${to}…` : `Make version ${to} live…`}
            </ActionButton>
          </span>
        )}
      </div>
      {from === to ? (
        <Empty title={versions.length > 1 ? 'This is the same version twice' : 'There is only one version'}>
          {versions.length > 1
            ? 'Choose another version to compare with.'
            : 'Changes show up here as soon as somebody edits it.'}
        </Empty>
      ) : (
        <Difference id={id} from={from} to={to} />
      )}
      {isActivating && (
        <ActivationDialog conversation={conversation} version={to} onClose={() => setActivating(false)} />
      )}
    </>
  );
}

interface DifferenceProps {
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

function Difference({ id, from, to }: DifferenceProps) {
  const drawing = useText('draw_design', { id, n: to, against: from, format: 'svg' });
  const newer = useDesign(id, to).data;
  const [, navigate] = useLocation();
  /** Opens a step's lines, in the older version if the newer one no longer has it. */
  const openStep = (place: Place) => {
    if (!newer || !place.startsWith('step ')) return;
    const step = place.slice('step '.length);
    const version = step in newer.steps ? to : from;
    navigate(`/conversations/${id}?${new URLSearchParams({ version: `${version}`, step })}`);
  };
  return (
    <div className={classes.columns}>
      <div>
        <section aria-labelledby="changes" className={classes.section}>
          <h2 id="changes">What changed</h2>
          <DifferenceList id={id} from={from} to={to} />
        </section>
        <section aria-labelledby="checks" className={classes.section}>
          <h2 id="checks">Checks of version {to}</h2>
          <VersionChecks id={id} version={to} />
        </section>
      </div>
      <QueryView query={drawing} what="the drawing">
        {(svg) => (
          <Drawing
            svg={svg}
            onSelect={openStep}
            label={`Version ${to} with what differs from version ${from} in colour. The list says the same in words.`}
          />
        )}
      </QueryView>
    </div>
  );
}
