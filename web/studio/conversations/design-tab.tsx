import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useText } from '../../api/use-operation.ts';
import { Badge } from '../../ui/badge.tsx';
import { ActionButton } from '../../ui/button.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Time } from '../../ui/time.tsx';
import type { Conversation } from '../../versions/conversation.ts';
import { Drawing } from '../../versions/drawing.tsx';
import { StepList } from '../../versions/step-list.tsx';
import { useDesign, useVersionInAddress, useVersions, type Version } from '../../versions/use-versions.ts';
import { VersionSelect } from '../../versions/version-select.tsx';
import { ActivationDialog } from './activation-dialog.tsx';
import classes from './design-tab.module.css';

/** A version as a drawing, and as a list of its steps with what they say. */
export default function DesignTab({ conversation }: { conversation: Conversation }) {
  const versions = useVersions(conversation.id);
  return (
    <QueryView query={versions} what="the versions">
      {({ versions }) => <ChosenVersion conversation={conversation} versions={versions} />}
    </QueryView>
  );
}

interface ChosenVersionProps {
  readonly conversation: Conversation;
  readonly versions: readonly Version[];
}

function ChosenVersion({ conversation, versions }: ChosenVersionProps) {
  const { id, activeVersion } = conversation;
  const newest = versions[0]?.n ?? activeVersion;
  const [chosen = newest, choose] = useVersionInAddress('version');
  const [isActivating, setActivating] = useState(false);
  const version = versions.find(({ n }) => n === chosen);
  return (
    <>
      <div className={classes.bar}>
        <VersionSelect label="Version" versions={versions} value={chosen} onChange={choose} />
        {chosen === activeVersion ? <Badge tone="good">live</Badge> : <Badge tone="accent">not live</Badge>}
        {version && (
          <span className={classes.made}>
            made <Time value={version.createdAt} />
            {version.author && ` by ${version.author}`}
          </span>
        )}
        <span className={classes.actions}>
          {chosen !== activeVersion && (
            <>
              <Link href={`/conversations/${id}/changes?from=${activeVersion}&to=${chosen}`}>
                Compare with live
              </Link>
              <ActionButton needs="publish" variant="primary" onClick={() => setActivating(true)}>
                {chosen < activeVersion ? 'Roll back…' : 'Make live…'}
              </ActionButton>
            </>
          )}
        </span>
      </div>
      <VersionView id={id} n={chosen} newest={newest} onSaved={choose} />
      {isActivating && (
        <ActivationDialog conversation={conversation} version={chosen} onClose={() => setActivating(false)} />
      )}
    </>
  );
}

interface VersionViewProps {
  readonly id: string;
  readonly n: number;
  readonly newest: number;
  readonly onSaved: (n: number) => void;
}

function VersionView({ id, n, newest, onSaved }: VersionViewProps) {
  const drawing = useText('draw_design', { id, n, format: 'svg' });
  const design = useDesign(id, n);
  const [parameters, setParameters] = useSearchParams();
  const selected = parameters.get('step') ?? undefined;
  const select = (step: string | undefined) =>
    setParameters(
      (now) => {
        const next = new URLSearchParams(now);
        if (step === undefined) next.delete('step');
        else next.set('step', step);
        return next;
      },
      { replace: true },
    );
  return (
    <div className={classes.columns}>
      <QueryView query={drawing} what="the drawing">
        {(svg) => (
          <Drawing
            svg={svg}
            label={`Drawing of version ${n}. The list of steps says the same in words.`}
            selected={selected === undefined ? undefined : `step ${selected}`}
            onSelect={(place) => {
              if (place.startsWith('step ')) select(place.slice('step '.length));
            }}
          />
        )}
      </QueryView>
      <QueryView query={design} what="the steps">
        {(document) => (
          <StepList
            design={document}
            editing={{ id, version: n, newest, onSaved }}
            selected={selected}
            onSelect={select}
          />
        )}
      </QueryView>
    </div>
  );
}
