import { diffWordsWithSpace } from 'diff';
import { Badge } from '../components/badge.tsx';
import classes from './field-change.module.css';

/** One operation of the JSON Patch between two versions. */
interface Operation {
  readonly op: 'add' | 'remove' | 'replace' | 'move';
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

const words = { add: 'added', remove: 'removed', replace: 'changed', move: 'moved' } as const;
const tones = { add: 'good', remove: 'danger', replace: 'warning', move: 'plain' } as const;

/** A field that differs: where it is, what it was and what it is. */
export function FieldChange({ operation, before }: { operation: Operation; before: unknown }) {
  const { op, path, from, value } = operation;
  const old = op === 'add' || op === 'move' ? undefined : valueAt(before, path);
  return (
    <li className={classes.field}>
      <p className={classes.head}>
        <Badge tone={tones[op]}>{words[op]}</Badge>
        <span className={classes.path}>{placeName(path)}</span>
        {from !== undefined && <span> from {placeName(from)}</span>}
      </p>
      {op === 'replace' && typeof old === 'string' && typeof value === 'string' ? (
        <Words before={old} after={value} />
      ) : (
        <>
          {old !== undefined && <Value value={old} isOld />}
          {op !== 'remove' && value !== undefined && <Value value={value} />}
        </>
      )}
    </li>
  );
}

/** Both texts in one, with what was taken out and what was put in. */
function Words({ before, after }: { before: string; after: string }) {
  return (
    <p className={classes.text} dir="auto">
      {diffWordsWithSpace(before, after).map(({ value, added, removed }, index) =>
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
    </p>
  );
}

function Value({ value, isOld = false }: { value: unknown; isOld?: boolean }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const Mark = isOld ? 'del' : 'ins';
  return typeof value === 'object' && value !== null ? (
    <pre className={classes.json}>
      <Mark>{text}</Mark>
    </pre>
  ) : (
    <p className={classes.text} dir="auto">
      <Mark>{text}</Mark>
    </p>
  );
}

/** A JSON pointer (RFC 6901) as people read it: `/steps/menu/prompt` is "menu › prompt". */
function placeName(pointer: string): string {
  const parts = partsOf(pointer);
  return (parts[0] === 'steps' && parts.length > 1 ? parts.slice(1) : parts).join(' › ');
}

function partsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function valueAt(document: unknown, pointer: string): unknown {
  return partsOf(pointer).reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, part)
        ? (value as Readonly<Record<string, unknown>>)[part]
        : undefined,
    document,
  );
}
