// @ts-check
/**
 * Completes the lock after every change of dependencies: `npm run lock`.
 *
 * Where npm cannot get a platform's package (a native binding for another system), it leaves the package out of the
 * lock, and `npm ci` then refuses the lock as out of step. This adds an entry for each such optional dependency, with
 * what its name tells: the system, the processor and the C library. Machines of other kinds skip the entry; on one of
 * that kind npm gets the package by its version, without an integrity to compare.
 *
 * Plain JavaScript, since it runs before the first install on whatever Node is there.
 *
 * Usage: node scripts/complete-lock.mjs [package-lock.json]
 */
import { readFileSync, writeFileSync } from 'node:fs';

/**
 * @typedef {object} Entry
 * @property {string} version
 * @property {boolean} [dev]
 * @property {boolean} [optional]
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
lock.packages = Object.fromEntries(Object.entries(packages).toSorted(([a], [b]) => a.localeCompare(b, 'en')));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${file}: ${added} entries added`);

/**
 * Whether Node's search, from the package at `place` outwards, meets `name` in a version that fits. Only an exact
 * version is compared: all others were chosen by npm.
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
 * The place of the package whose `node_modules` holds this one; the root's is the empty text.
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
  if (os.length === 0 || cpu.length === 0) console.log(`unclear which machine ${name} is for`);
  return {
    version: range.replace(/^[\^~]/, ''),
    ...(cpu.length > 0 && { cpu }),
    ...(dev && { dev }),
    ...(words.some((word) => word.startsWith('musl')) && { libc: ['musl'] }),
    optional: true,
    ...(os.length > 0 && { os }),
  };
}
