import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What may be bundled: licences that ask for their notice to be kept, and for nothing else of whoever changes nothing. */
const allowed = new Set([
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  'Zlib',
  'CC0-1.0',
  // Files under it are not changed here; their notice says where the source is.
  'MPL-2.0',
]);

/** Packages that come without the text of their licence, or of one of theirs, and the files beside them that have it; of code its first comment. */
const textsElsewhere: Readonly<Record<string, readonly string[]>> = {
  'koa-compose': ['koa/LICENSE'],
  unpdf: ['unpdf/LICENSE', 'livekit-server-sdk/LICENSE'],
  '@bufbuild/protobuf': ['livekit-server-sdk/LICENSE', '@bufbuild/protobuf/dist/esm/google/varint.js'],
};

/** Packages that name no licence of that list but come with the text of one like it, or that name not all of theirs. */
const readByUs: Readonly<Record<string, string>> = {
  'dejavu-fonts-ttf': 'Bitstream-Vera',
  unpdf: 'MIT; the PDF.js of Mozilla that it holds: Apache-2.0',
};

interface Package {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly repository?: string | { readonly url: string };
}

/**
 * The notices of the packages whose modules were bundled, with the text of each licence.
 * @param modules absolute paths of the modules
 * @throws where a package's licence is none of those that may be bundled, or its text is not there.
 */
export function noticesOf(modules: readonly string[]): string {
  const folders = new Set(modules.flatMap((module) => packageFolder(module) ?? []));
  const notices = new Map([...folders].map(noticeOf));
  for (const name of modules.flatMap(packedInside))
    if (!notices.has(name))
      throw new Error(`${name} is bundled inside of another package, without its notice`);
  const sorted = [...notices].toSorted(([a], [b]) => a.localeCompare(b, 'en'));
  return `Parts of these packages are bundled here.\n${sorted.map(([, notice]) => notice).join('')}`;
}

/** The package that holds a module; undefined for our own. */
function packageFolder(module: string): string | undefined {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module)?.[0];
}

/** What the bundler of a package's authors has put into one of its modules, as `name version`. */
function packedInside(module: string): string[] {
  if (!module.includes('/@modelcontextprotocol/')) return [];
  const regions = /^\/\/#region .*\/\.pnpm\/([^/]+)@([\d.]+)/gm;
  return [...readFileSync(module, 'utf8').matchAll(regions)].map(([, name, version]) => `${name} ${version}`);
}

function noticeOf(folder: string): [title: string, notice: string] {
  const {
    name,
    version,
    license = 'none',
    repository = '',
  } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Package;
  const known = readByUs[name] ?? license;
  if (!readByUs[name] && !isAllowed(license))
    throw new Error(`${name} ${version} has the licence ${license}`);
  const from = typeof repository === 'string' ? repository : repository.url;
  const source = license === 'MPL-2.0' ? `\nSource: ${from}\n` : '';
  const title = `${name} ${version}`;
  return [title, `\n${'='.repeat(80)}\n${title} (${known})\n\n${licenceText(folder, name)}\n${source}`];
}

/** A licence, or several that all hold or of which one may be chosen, as SPDX writes them. */
function isAllowed(license: string): boolean {
  const named = license.replace(/^\((.*)\)$/, '$1');
  if (named.includes(' OR ')) return named.split(' OR ').some(isAllowed);
  return named.split(' AND ').every((one) => allowed.has(one));
}

function licenceText(folder: string, name: string): string {
  const elsewhere = textsElsewhere[name];
  if (elsewhere !== undefined)
    return elsewhere.map((file) => firstComment(path.join(folder.slice(0, -name.length), file))).join('\n\n');
  const texts = (pattern: RegExp) =>
    readdirSync(folder)
      .filter((file) => pattern.test(file))
      .map((file) => readFileSync(path.join(folder, file), 'utf8').trim());
  const whole = texts(/^(?:licen[cs]e|copying|notice)/i).join('\n\n');
  const part = /^#+ licen[cs]e\b[\s\S]*/im.exec(texts(/^readme\.md$/i).join('\n'))?.[0];
  const text = whole || part;
  if (!text) throw new Error(`${folder} holds no text of its licence`);
  return text;
}

/** A text; of code the comment that it starts with. */
function firstComment(file: string): string {
  const text = readFileSync(file, 'utf8').trim();
  if (!file.endsWith('.js')) return text;
  const comment = /^(?:\/\/.*\n)+/.exec(text)?.[0];
  if (comment === undefined) throw new Error(`${file} does not start with a comment`);
  return comment.replaceAll(/^\/\/ ?/gm, '').trim();
}
