import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Image } from './build.ts';
import { strayText } from './checkout.ts';
import { entriesOf, filesOf, isShipped, megabytes, unlike } from './listing.ts';
import type { Table } from './table.ts';

/** Checks that the image has exactly the files that it should have. */
export function proveContents({ root, workdir }: Image, { row }: Table): void {
  const folder = path.join(root, workdir);
  const textOf = (place: string) => readFileSync(path.join(folder, place), 'utf8');
  const files = filesOf(folder);
  const others = unlike(files, isShipped);
  const elsewhere = unlike(filesOf(root), (place) => place.startsWith(`${workdir.slice(1)}/`));
  row(
    'files of the image',
    `${files.length}, ${megabytes(files)}; besides bin, dist, package.json: ${others || 'none'}; elsewhere: ${elsewhere || 'none'}`,
    others === '' && elsewhere === '',
  );
  // Everyone must be able to enter folders. Files may or may not be executable.
  const closed = unlike(entriesOf(root), (_, { mode, isFile }) =>
    isFile ? (mode & 0o666) === 0o644 : mode === 0o755,
  );
  row('files that not everyone can read, or that others can change', closed || 'none', closed === '');
  const stray = unlike(files, (place) => !textOf(place).includes(strayText));
  row('files with the text of a stray file', stray || 'none', stray === '');
  const { devDependencies } = JSON.parse(textOf('package.json')) as { devDependencies: object };
  const bundled = [...textOf('dist/NOTICES').matchAll(/^={80}\n(\S+) /gm)].map(([, name = '']) => name);
  const development = bundled.filter((name) => Object.hasOwn(devDependencies, name)).join(', ');
  row(
    'packages in the bundle; development packages among them',
    `${bundled.length}; ${development || 'none'}`,
    bundled.length > 0 && development === '',
  );
}
