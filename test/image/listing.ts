import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A file or folder of a tree. */
export interface Entry {
  /** From the tree's root. */
  readonly place: string;
  readonly isFile: boolean;
  readonly bytes: number;
  /** The nine bits. */
  readonly mode: number;
}

/** Everything below a folder, sorted by place. */
export function entriesOf(folder: string): Entry[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((place) => {
      const found = lstatSync(path.join(folder, place));
      return { place, isFile: found.isFile(), bytes: found.size, mode: found.mode & 0o777 };
    });
}

/** The files below a folder. */
export function filesOf(folder: string): Entry[] {
  return entriesOf(folder).filter(({ isFile }) => isFile);
}

/** The text of each file below a folder, by its place. */
export function contentsOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    filesOf(folder).map(({ place }) => [place, readFileSync(path.join(folder, place), 'utf8')]),
  );
}

/** Whether a file is one that Parley is installed as. */
export function isShipped(place: string): boolean {
  return /^(?:package\.json|bin\/(?:package\.json|parley\.js)|dist\/(?:NOTICES|[\w.-]+\.(?:cjs|wasm|ttf)))$/.test(
    place,
  );
}

/** The places of those files that are not as they should be, for a person. */
export function unlike(files: readonly Entry[], isRight: (place: string, file: Entry) => boolean): string {
  return files
    .filter((file) => !isRight(file.place, file))
    .map(({ place }) => place)
    .join(', ');
}

/** What files take together, for a person. */
export function megabytes(files: readonly Entry[]): string {
  return `${(files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6).toFixed(1)} MB`;
}
