import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** The mutants that their tests have killed, by the name of the patch. The value is the fingerprint at that time. */
export type KillRecord = Readonly<Record<string, string>>;

/** What the result of a mutant depends on: its patch, the files that this changes, and the test that it names. */
export interface Subject {
  readonly patch: string;
  readonly changes: readonly string[];
  readonly file: string;
}

const recordFile = path.join(import.meta.dirname, 'killed.json');
/** Of a SHA-256, as the first hexadecimal digits. */
const digits = 16;
/** One of so many mutants is tried although nothing that it depends on has changed. */
const oneIn = 8;

/** Reads the record of the working tree; empty if there is none. */
export function readKillRecord(): KillRecord {
  if (!fs.existsSync(recordFile)) return {};
  return JSON.parse(fs.readFileSync(recordFile, 'utf8')) as KillRecord;
}

/** Writes the record, sorted by name. */
export function writeKillRecord(record: KillRecord): void {
  const sorted = Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1));
  fs.writeFileSync(recordFile, `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`);
}

/**
 * Returns a function that computes fingerprints: a hash of the patch, the files that it changes, the test, and all that
 * the test imports from `test`. The other sources are left out, because nearly every test reaches all of them.
 */
export function fingerprints(root: string, patchFolder: string): (subject: Subject) => string {
  const texts = new Map<string, string>();
  const textOf = (file: string) => {
    const known = texts.get(file);
    if (known !== undefined) return known;
    const absolute = path.join(root, file);
    const text = fs.existsSync(absolute) ? fs.readFileSync(absolute, 'utf8') : '';
    texts.set(file, text);
    return text;
  };
  return ({ patch, changes, file }) => {
    const hash = createHash('sha256');
    for (const part of [path.join(patchFolder, patch), ...changes, ...closureOf(file, textOf)])
      hash.update(`${part}\0${textOf(part)}\0`);
    return hash.digest('hex').slice(0, digits);
  };
}

/** True for one in eight mutants, others for each commit, so that each is tried from time to time. */
export function isSampled(patch: string, commit: string): boolean {
  return createHash('sha256').update(`${commit} ${patch}`).digest().readUInt32BE() % oneIn === 0;
}

/** A file and all that it imports from `test`, at any depth, sorted. */
function closureOf(file: string, textOf: (file: string) => string): readonly string[] {
  const found = new Set<string>();
  const waiting = [file];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    for (const [, imported = ''] of textOf(next).matchAll(/(?:from|import|import\()\s*'(\.[^']+)'/g)) {
      const target = path.join(path.dirname(next), imported);
      if (target.startsWith(`test${path.sep}`)) waiting.push(target);
    }
  }
  return [...found].toSorted();
}
