import { Fragment } from 'react';

/** Names of authors: "Anna, Ben". */
export function Authors({ names }: { names: readonly string[] }) {
  return names.map((name, index) => (
    <Fragment key={name}>
      {index > 0 && ', '}
      <bdi>{name}</bdi>
    </Fragment>
  ));
}
