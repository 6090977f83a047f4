import { useRefusal } from '../../api/session.ts';
import { type InheritedRejection, isReworded, type VersionOf } from '../../versions/rejection.ts';
import classes from './inherited-rejections.module.css';
import { LiftButton } from './lift-button.tsx';
import { RecordLink } from './record-link.tsx';
import { RejectedBy } from './rejected-by.tsx';
import { TakeUpButton } from './take-up-button.tsx';

interface InheritedRejectionsProps {
  /** The version that they concern. */
  readonly of: VersionOf;
  readonly rejections: readonly InheritedRejection[];
}

/** Says which rejections concern a version, what was rejected and what stands there now, and lets somebody lift them. */
export function InheritedRejections({ of, rejections }: InheritedRejectionsProps) {
  const isReader = useRefusal('publish') !== undefined;
  return (
    <>
      {rejections.map((rejection) => (
        <Inherited key={`${rejection.of?.id} ${rejection.version}`} of={of} rejection={rejection} />
      ))}
      {rejections.some(({ blocks }) => blocks) &&
        (isReader ? (
          <p>Put back what was live, or ask a reviewer whose key has access publish to lift the rejection.</p>
        ) : (
          <LiftButton of={of} />
        ))}
    </>
  );
}

function Inherited({ of: { kind, id }, rejection }: { of: VersionOf; rejection: InheritedRejection }) {
  const { version, places, changes = [], blocks, of = { kind, id } } = rejection;
  return (
    <div>
      <p>
        Version {version}
        {'name' in of && (
          <>
            {' '}
            of <RecordLink id={of.id} name={of.name} />
          </>
        )}{' '}
        was <RejectedBy rejection={rejection} /> {stateOf(rejection)}
      </p>
      {changes.length > 0 && (
        <ul className={classes.changes}>
          {changes.map(({ path, rejected, now }) => (
            <li key={path} dir="auto">
              {inWords(path)}: {rejected !== null && <del>{rejected}</del>}
              {rejected !== null && now !== null && ' → '}
              {now !== null && <ins>{now}</ins>}
            </li>
          ))}
        </ul>
      )}
      {!blocks && places.length > 0 && <TakeUpButton of={{ kind: of.kind, id: of.id, version }} isNamed />}
    </div>
  );
}

/** How a version stands to what was rejected. Its changes say where. */
function stateOf(rejection: InheritedRejection): string {
  const { places, changes } = rejection;
  if (places.length === 0) return 'This version holds none of it.';
  if (!changes) return `This version still holds what it brought: ${places.map(inWords).join(', ')}.`;
  return isReworded(rejection)
    ? 'This version says something else there, which nobody has accepted:'
    : 'This version still holds what it brought:';
}

const inWords = (place: string) => place.slice(1).replaceAll('/', ' · ');
