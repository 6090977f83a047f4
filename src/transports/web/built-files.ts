import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

type Encoding = 'br' | 'gzip' | 'identity';

/** A file that the server keeps in memory, with its compressed forms. */
export interface BuiltFile {
  readonly contentType: string;
  readonly etag: string;
  /** True if the name holds a hash of the content. */
  readonly isImmutable: boolean;
  readonly bodies: Readonly<Partial<Record<Encoding, Buffer>>> & { readonly identity: Buffer };
}

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The endings of the compressed files that the build writes next to a file. */
const endings: Readonly<Record<Exclude<Encoding, 'identity'>, string>> = { br: '.br', gzip: '.gz' };

/**
 * Reads the built files of a folder, by their paths from it.
 * @throws if a file has a type that no page uses
 */
export function readBuiltFiles(folder: string): ReadonlyMap<string, BuiltFile> {
  const compressed = Object.values(endings);
  const names = globSync('**/*', { cwd: folder }).filter(
    (name) => statSync(path.join(folder, name)).isFile() && !compressed.includes(path.extname(name)),
  );
  return new Map(names.map((name) => [name.replaceAll(path.sep, '/'), readBuiltFile(folder, name)]));
}

function readBuiltFile(folder: string, name: string): BuiltFile {
  const contentType = contentTypes[path.extname(name)];
  if (contentType === undefined) throw new Error(`${name} has a type that Parley does not serve`);
  const file = path.join(folder, name);
  const identity = readFileSync(file);
  const smaller = Object.entries(endings)
    .filter(([, ending]) => statSync(file + ending, { throwIfNoEntry: false }))
    .map(([encoding, ending]) => [encoding, readFileSync(file + ending)] as const);
  return {
    contentType,
    etag: `"${createHash('sha256').update(identity).digest('base64url')}"`,
    isImmutable: path.basename(path.dirname(name)) === 'assets',
    bodies: { ...Object.fromEntries(smaller), identity },
  };
}
