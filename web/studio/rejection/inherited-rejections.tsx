import { RejectedBy } from './rejected-by.tsx';
import type { InheritedRejection, VersionOf } from './rejection.ts';
import { TakeUpButton } from './take-up-button.tsx';

interface InheritedRejectionsProps extends Pick<VersionOf, 'kind' | 'id'> {
  readonly rejections: readonly InheritedRejection[];
}

/** Says what a version still holds of earlier versions that are rejected, and lets somebody lift the rejections. */
export function InheritedRejections({ kind, id, rejections }: InheritedRejectionsProps) {
  return rejections.map((rejection) => (
    <div key={rejection.version}>
      <p>
        Version {rejection.version} was <RejectedBy rejection={rejection} /> This version still holds what it
        brought: {rejection.places.map((place) => place.slice(1).replaceAll('/', ' · ')).join(', ')}.
      </p>
      <TakeUpButton of={{ kind, id, version: rejection.version }} isNamed />
    </div>
  ));
}
