import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A file or folder of a tree. */
export interface Entry {
  /** The path from the tree's root. */
  readonly place: string;
  readonly isFile: boolean;
  readonly bytes: number;
  /** The nine permission bits. */
  readonly mode: number;
}

/** Lists everything below a folder, sorted by path. */
export function entriesOf(folder: string): Entry[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((place) => {
      const found = lstatSync(path.join(folder, place));
      return { place, isFile: found.isFile(), bytes: found.size, mode: found.mode & 0o777 };
    });
}

/** Lists the files below a folder. */
export function filesOf(folder: string): Entry[] {
  return entriesOf(folder).filter(({ isFile }) => isFile);
}

/** Reads every file below a folder. Returns the texts by path. */
export function contentsOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    filesOf(folder).map(({ place }) => [place, readFileSync(path.join(folder, place), 'utf8')]),
  );
}

/** Returns whether a path belongs to the files of an installed Parley. */
export function isShipped(place: string): boolean {
  return /^(?:package\.json|bin\/(?:package\.json|parley\.js)|dist\/(?:NOTICES|disclosure\/(?:package\.json|index\.cjs|[\w-]+\.d\.ts)|[\w.-]+\.(?:cjs|wasm|ttf)|web\/(?:[\w-]+\/)*[\w.-]+\.(?:css|html|js|svg)(?:\.(?:br|gz))?))$/.test(
    place,
  );
}

/** Formats the paths of the files that are not right, for a report. */
export function unlike(files: readonly Entry[], isRight: (place: string, file: Entry) => boolean): string {
  return files
    .filter((file) => !isRight(file.place, file))
    .map(({ place }) => place)
    .join(', ');
}

/** Formats the total size of files, for a report. */
export function megabytes(files: readonly Entry[]): string {
  return `${(files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6).toFixed(1)} MB`;
}
