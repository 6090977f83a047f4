import { RecordLink } from '../components/record-link.tsx';
import { RejectedBy } from './rejected-by.tsx';
import type { InheritedRejection, VersionOf } from './rejection.ts';
import { TakeUpButton } from './take-up-button.tsx';

interface InheritedRejectionsProps extends Pick<VersionOf, 'kind' | 'id'> {
  readonly rejections: readonly InheritedRejection[];
}

/** Says which rejections concern a version and what it still holds of them, and lets somebody lift them. */
export function InheritedRejections({ kind, id, rejections }: InheritedRejectionsProps) {
  return rejections.map((rejection) => {
    const { version, places, of = { kind, id } } = rejection;
    return (
      <div key={`${of.id} ${version}`}>
        <p>
          Version {version}
          {'name' in of && (
            <>
              {' '}
              of <RecordLink id={of.id} name={of.name} />
            </>
          )}{' '}
          was <RejectedBy rejection={rejection} />{' '}
          {places.length > 0
            ? `This version still holds what it brought: ${places.map(inWords).join(', ')}.`
            : 'This version holds none of it as it was. Look whether it is corrected.'}
        </p>
        <TakeUpButton of={{ kind: of.kind, id: of.id, version }} isNamed />
      </div>
    );
  });
}

const inWords = (place: string) => place.slice(1).replaceAll('/', ' · ');
