import { readdirSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import path from 'node:path';

/** Licences that may be bundled. They require only that an unchanged copy keeps the notice. */
const allowed = new Set([
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  'Zlib',
  'CC0-1.0',
  'Unlicense',
  // Parley does not change files with this licence, and the notice names their source.
  'MPL-2.0',
]);

/** Files with the licence text of packages that lack it; in code, the text is the first comment. */
const textsElsewhere: Readonly<Record<string, readonly string[]>> = {
  'koa-compose': ['koa/LICENSE'],
  // The text of the Unlicense is the same for all who use it.
  wouter: ['fast-sha256/LICENSE'],
  unpdf: ['unpdf/LICENSE', 'livekit-server-sdk/LICENSE'],
  '@bufbuild/protobuf': ['livekit-server-sdk/LICENSE', '@bufbuild/protobuf/dist/esm/google/varint.js'],
};

/** Licences that we read in the package's text, because its package.json does not name them, or not all of them. */
const readByUs: Readonly<Record<string, string>> = {
  'dejavu-fonts-ttf': 'Bitstream-Vera',
  unpdf: 'MIT; the PDF.js of Mozilla that it holds: Apache-2.0',
};

interface Package {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly repository?: string | { readonly url: string };
  readonly dependencies?: Readonly<Record<string, string>>;
}

/**
 * Returns the notices of the packages whose modules were bundled, with the text of each licence.
 * @param modules absolute paths of the modules
 * @throws if a package's licence may not be bundled, or its text is missing.
 */
export function noticesOf(modules: readonly string[]): string {
  const bundled = new Set(modules.flatMap((module) => packageFolder(module) ?? []));
  const folders = new Set([...bundled].flatMap((folder) => [folder, ...foldersPackedInside(folder)]));
  const notices = new Map([...folders].map(noticeOf));
  for (const name of modules.flatMap(packedInside))
    if (!notices.has(name)) throw new Error(`${name} is bundled inside another package, without its notice`);
  const sorted = [...notices].toSorted(([a], [b]) => a.localeCompare(b, 'en'));
  return `Parts of these packages are bundled here.\n${sorted.map(([, notice]) => notice).join('')}`;
}

/** Returns the folder of the package that contains a module; undefined for Parley's own modules. */
function packageFolder(module: string): string | undefined {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module)?.[0];
}

/** LiveKit's authors have put all packages that their client needs into its one module. */
function foldersPackedInside(folder: string): string[] {
  return folder.endsWith('/livekit-client') ? dependenciesOf(folder) : [];
}

/** Returns the folders of the packages that a package needs, and of those that these need. */
function dependenciesOf(folder: string): string[] {
  return Object.keys(packageIn(folder).dependencies ?? {}).flatMap((name) => {
    const file = findPackageJSON(name, path.join(folder, 'package.json'));
    if (file === undefined) throw new Error(`${folder} needs ${name}, which is not installed`);
    const found = path.dirname(file);
    return [found, ...dependenciesOf(found)];
  });
}

function packageIn(folder: string): Package {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Package;
}

/** What the bundler of a package's authors has put into one of its modules, as `name version`. */
function packedInside(module: string): string[] {
  if (!module.includes('/@modelcontextprotocol/')) return [];
  const regions = /^\/\/#region .*\/\.pnpm\/([^/]+)@([\d.]+)/gm;
  return [...readFileSync(module, 'utf8').matchAll(regions)].map(([, name, version]) => `${name} ${version}`);
}

function noticeOf(folder: string): [title: string, notice: string] {
  const { name, version, license = 'none', repository = '' } = packageIn(folder);
  const known = readByUs[name] ?? license;
  if (!readByUs[name] && !isAllowed(license))
    throw new Error(`${name} ${version} has the licence ${license}`);
  const from = typeof repository === 'string' ? repository : repository.url;
  const source = license === 'MPL-2.0' ? `\nSource: ${from}\n` : '';
  const title = `${name} ${version}`;
  return [title, `\n${'='.repeat(80)}\n${title} (${known})\n\n${licenceText(folder, name)}\n${source}`];
}

/** Returns whether an SPDX expression of one or more licences may be bundled. */
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

/** Returns the text of a file; for code, its first comment. */
function firstComment(file: string): string {
  const text = readFileSync(file, 'utf8').trim();
  if (!file.endsWith('.js')) return text;
  const comment = /^(?:\/\/.*\n)+/.exec(text)?.[0];
  if (comment === undefined) throw new Error(`${file} does not start with a comment`);
  return comment.replaceAll(/^\/\/ ?/gm, '').trim();
}
