import { useId } from 'react';
import { labelOf } from './rejection.ts';
import { ownTag, type Version } from './use-versions.ts';
import classes from './version-select.module.css';

interface VersionSelectProps {
  readonly label: string;
  readonly versions: readonly Version[];
  readonly value: number;
  readonly onChange: (n: number) => void;
}

/** Chooses a version of a conversation. */
export function VersionSelect({ label, versions, value, onChange }: VersionSelectProps) {
  const id = useId();
  const newest = versions[0]?.n;
  return (
    <span className={classes.select}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(Number(event.target.value))}>
        {!versions.some(({ n }) => n === value) && <option value={value}>Version {value}</option>}
        {versions.map(({ n, tag, isActive, live, rejection, inheritedRejections }) => (
          <option key={n} value={n}>
            {[
              `Version ${n}`,
              ownTag({ n, tag }),
              isActive && 'live',
              n === newest && !isActive && 'newest',
              !isActive && live?.[0]?.until && `was live until ${dayOf(live[0].until)}`,
              rejection && 'rejected',
              labelOf(inheritedRejections),
            ]
              .filter(Boolean)
              .join(' · ')}
          </option>
        ))}
      </select>
    </span>
  );
}

function dayOf(time: string): string {
  return new Date(time).toLocaleDateString('en', { dateStyle: 'medium' });
}
