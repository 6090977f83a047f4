import { useState } from 'react';
import type { Output } from '../api/client.ts';
import { useOperation, useText } from '../api/use-operation.ts';
import { ActionButton } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { MarkedText } from '../components/marked-text.tsx';
import { QueryView } from '../components/query-view.tsx';
import { ActivationDialog } from './activation-dialog.tsx';
import classes from './changes-tab.module.css';
import { Drawing } from './drawing.tsx';
import { FieldChange } from './field-change.tsx';
import type { Conversation } from './tabs.ts';
import { useDesign, useVersionInAddress, useVersions, type Version } from './use-versions.ts';
import { VersionSelect } from './version-select.tsx';

/** Two versions next to each other: in words, drawn, and field by field. At first, the live one and the newest. */
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
  return (
    <>
      <div className={classes.bar}>
        <VersionSelect label="From" versions={versions} value={from} onChange={chooseFrom} />
        <VersionSelect label="to" versions={versions} value={to} onChange={chooseTo} />
        {to !== activeVersion && (
          <span className={classes.action}>
            <ActionButton needs="publish" variant="primary" onClick={() => setActivating(true)}>
              {to < activeVersion ? `Roll back to ${to}…` : `Make ${to} live…`}
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
  const difference = useOperation('diff_designs', { id, n: to, against: from });
  const drawing = useText('draw_design', { id, n: to, against: from, format: 'svg' });
  return (
    <QueryView query={difference} what="the differences">
      {({ summary, patch }) =>
        patch.length === 0 ? (
          <Empty title="Nothing differs">Both versions say and do the same.</Empty>
        ) : (
          <>
            <section aria-labelledby="summary" className={classes.section}>
              <h2 id="summary">In short</h2>
              <ul>
                {summary.map((line) => (
                  <li key={line}>
                    <MarkedText text={line} />
                  </li>
                ))}
              </ul>
            </section>
            <section aria-labelledby="fields" className={classes.section}>
              <h2 id="fields">Field by field</h2>
              <Fields id={id} from={from} patch={patch} />
            </section>
            <section aria-labelledby="drawn" className={classes.section}>
              <h2 id="drawn">Drawn</h2>
              <QueryView query={drawing} what="the drawing">
                {(svg) => (
                  <Drawing
                    svg={svg}
                    label={`Version ${to} with what differs from version ${from} in colour.`}
                  />
                )}
              </QueryView>
            </section>
          </>
        )
      }
    </QueryView>
  );
}

type Patch = Output<'diff_designs'>['patch'];

function Fields({ id, from, patch }: { id: string; from: number; patch: Patch }) {
  const before = useDesign(id, from);
  return (
    <QueryView query={before} what="the older version">
      {(design) => (
        <ul className={classes.fields}>
          {patch.map((operation) => (
            <FieldChange key={`${operation.op} ${operation.path}`} operation={operation} before={design} />
          ))}
        </ul>
      )}
    </QueryView>
  );
}
