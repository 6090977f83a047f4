import { diffWordsWithSpace } from 'diff';
import { useId } from 'react';
import { Link } from 'wouter';
import { Badge } from '../ui/badge.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { changesBetween, type FieldChange } from './design-changes.ts';
import classes from './difference-list.module.css';
import { useDesign } from './use-versions.ts';
import { weightyChanges } from './weighty-changes.ts';

interface DifferenceListProps {
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

const words = { added: 'new', removed: 'gone', changed: 'changed' } as const;
const tones = { added: 'good', removed: 'danger', changed: 'warning' } as const;

/** What differs between two versions, step by step, with every text before and after. */
export function DifferenceList({ id, from, to }: DifferenceListProps) {
  const firstId = useId();
  const [before, after] = [useDesign(id, from), useDesign(id, to)];
  return (
    <QueryView query={before} what="the older version">
      {(old) => (
        <QueryView query={after} what="the newer version">
          {(now) => {
            const parts = changesBetween(old, now);
            if (parts.length === 0) return <p>Nothing: both versions say and do the same.</p>;
            const weighty = weightyChanges(old, now);
            return (
              <>
                {weighty.length > 0 && (
                  <div className={classes.first}>
                    <p id={firstId}>Look at these first</p>
                    <ul aria-labelledby={firstId}>
                      {weighty.map((sentence) => (
                        <li key={sentence} dir="auto">
                          {sentence}
                        </li>
                      ))}
                    </ul>
                  </div>
                )}
                <ul className={classes.parts} aria-label="What differs">
                  {parts.map(({ key, name, about, change, stepId, fields }) => (
                    <li key={key}>
                      <p className={classes.head}>
                        {stepId === undefined ? (
                          <bdi>{name}</bdi>
                        ) : (
                          <Link
                            href={`/conversations/${id}?${new URLSearchParams({ version: `${to}`, step: stepId })}`}
                          >
                            <bdi>{name}</bdi>
                          </Link>
                        )}
                        <span className={classes.about}>{about}</span>
                        <Badge tone={tones[change]}>{words[change]}</Badge>
                      </p>
                      <dl className={classes.fields}>
                        {fields.map((field) => (
                          <div key={field.place}>
                            <dt dir="auto">{field.label}</dt>
                            <Difference {...field} />
                          </div>
                        ))}
                      </dl>
                    </li>
                  ))}
                </ul>
              </>
            );
          }}
        </QueryView>
      )}
    </QueryView>
  );
}

/** Both texts in one, with what was taken out and what was put in. */
function Difference({ before, after }: FieldChange) {
  const parts =
    before !== undefined && after !== undefined
      ? diffWordsWithSpace(before, after)
      : [{ value: before ?? after ?? '', added: before === undefined, removed: after === undefined }];
  return (
    <dd dir="auto">
      {parts.map(({ value, added, removed }, index) =>
        added ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity and no state
          <ins key={index}>{value}</ins>
        ) : removed ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <del key={index}>{value}</del>
        ) : (
          value
        ),
      )}
    </dd>
  );
}
