// @ts-check
/**
 * Completes package-lock.json. Run it after every change of dependencies: `npm run lock`, at the top or in a folder with a
 * lock of its own.
 *
 * If npm cannot download a package for another platform, such as a native binding, it leaves the package out of the
 * lock, and `npm ci` then rejects the lock. This script adds an entry for each such optional dependency. It takes the
 * system, the processor and the C library from the package's name. Other platforms skip the entry. On its own platform,
 * npm installs the package by version, without an integrity hash.
 *
 * It also removes the `engines` of the dependencies. They never run on the Node.js that runs npm, but on one that
 * bin/parley.js checks or brings along, and npm would print five lines for each of them on Node.js 20.
 *
 * It is JavaScript, because it runs before the first install on any version of Node.js.
 *
 * Usage: node scripts/complete-lock.mjs [package-lock.json]
 */
import { readFileSync, writeFileSync } from 'node:fs';

/**
 * @typedef {object} Entry
 * @property {string} version
 * @property {boolean} [dev]
 * @property {boolean} [optional]
 * @property {Record<string, string>} [engines]
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 * @property {string[]} [libc]
 * @property {Record<string, string>} [optionalDependencies]
 */

const systems = 'aix android darwin freebsd linux netbsd openbsd openharmony sunos win32'.split(' ');
const processors = 'arm arm64 ia32 loong64 mips64el ppc64 riscv64 s390x wasm32 x64'.split(' ');

const file = process.argv[2] ?? 'package-lock.json';
const lock = /** @type {{ packages: Record<string, Entry> }} */ (JSON.parse(readFileSync(file, 'utf8')));
const { packages } = lock;

let added = 0;
for (const [place, { dev, optionalDependencies = {} }] of Object.entries(packages)) {
  for (const [name, range] of Object.entries(optionalDependencies)) {
    if (isLocked(place, name, range)) continue;
    const top = `node_modules/${name}`;
    packages[packages[top] ? `${place}/${top}` : top] = entryFor(name, range, dev);
    added++;
  }
}
for (const [place, entry] of Object.entries(packages)) if (place !== '') delete entry.engines;
lock.packages = Object.fromEntries(Object.entries(packages).toSorted(([a], [b]) => a.localeCompare(b, 'en')));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${file}: ${added} entries added`);

/**
 * Returns whether Node.js, starting at the package in `place`, finds `name` in a matching version. It compares only
 * exact versions, because npm chose the versions of ranges.
 * @param {string} place
 * @param {string} name
 * @param {string} range
 */
function isLocked(place, name, range) {
  for (let at = place; ; at = parentOf(at)) {
    const entry = packages[at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`];
    if (entry) return !/^\d/.test(range) || entry.version === range;
    if (at === '') return false;
  }
}

/**
 * Returns the place of the package whose `node_modules` contains this one. The root's place is the empty string.
 * @param {string} place
 */
function parentOf(place) {
  return place.slice(0, Math.max(0, place.lastIndexOf('/node_modules/')));
}

/**
 * @param {string} name
 * @param {string} range
 * @param {boolean | undefined} dev
 * @returns {Entry}
 */
function entryFor(name, range, dev) {
  const words = name.split(/[/-]/);
  const os = systems.filter((system) => words.includes(system));
  const cpu = processors.filter((processor) => words.includes(processor));
  if (os.length === 0 || cpu.length === 0) console.log(`cannot tell the platform of ${name}`);
  return {
    version: range.replace(/^[\^~]/, ''),
    ...(cpu.length > 0 && { cpu }),
    ...(dev && { dev }),
    ...(words.some((word) => word.startsWith('musl')) && { libc: ['musl'] }),
    optional: true,
    ...(os.length > 0 && { os }),
  };
}
