/**
 * Bundles `dist/`: all that Parley needs at run time besides Node.js and a Postgres.
 *
 * One file holds what `parley mcp` needs to list its tools, so that this costs one read; everything else is loaded
 * where it is used. CommonJS, since Node.js starts that faster. The same input gives the same bytes. Names and lines
 * are kept, so that a stack in a log can be read without a source map.
 *
 * Usage: npm run build [-- --out FOLDER]
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type ModuleInfo, rolldown } from 'rolldown';
import { commitOf } from '../src/commands/build.ts';
import { listing } from '../src/commands/listing.ts';
import { readConfig } from '../src/config.ts';
import { noticesOf } from './notices.ts';
import { inPlaceOf, lazySchemas, withoutValidator } from './plugins.ts';

const root = path.resolve(import.meta.dirname, '..');

/** Drivers that knex can load and Parley never does, and pg's optional native binding. */
const neverLoaded = [
  'better-sqlite3',
  'mariadb/callback',
  'mysql',
  'mysql2',
  'oracledb',
  'pg-native',
  'pg-query-stream',
  'sqlite3',
  'tedious',
];

const { values } = parseArgs({ options: { out: { type: 'string', default: path.join(root, 'dist') } } });
await build(path.resolve(values.out));

async function build(out: string): Promise<void> {
  const first = new Set<string>();
  const bundle = await rolldown({
    cwd: root,
    input: { main: 'src/main.ts' },
    platform: 'node',
    external: neverLoaded,
    plugins: [
      inPlaceOf(root, {
        'src/commands/listing.ts': { listing },
        'src/commands/revision.ts': { builtFrom: namedCommit() ?? commitOf(root) },
      }),
      withoutValidator(),
      lazySchemas(),
      {
        name: 'first',
        buildEnd() {
          for (const file of ['src/main.ts', 'src/commands/mcp.ts'])
            addWithImports(path.join(root, file), first, (id) => this.getModuleInfo(id));
        },
      },
    ],
    onLog(level, log, pass) {
      // depd, of koa, names functions in its messages that way.
      if (log.code === 'EVAL' && log.id?.includes('/depd/')) return;
      pass(level === 'warn' ? 'error' : level, log);
    },
  });
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const { output } = await bundle.write({
    dir: out,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    comments: false,
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
    codeSplitting: { groups: [{ name: 'main', test: (id) => first.has(id) }] },
  });
  await bundle.close();
  const chunks = output.filter((file) => file.type === 'chunk');
  writeFileSync(path.join(out, 'NOTICES'), noticesOf(chunks.flatMap(({ moduleIds }) => moduleIds)));
  for (const { fileName, code } of chunks) console.log(`${fileName}  ${Math.ceil(code.length / 1024)} KiB`);
}

/** What PARLEY_GIT_SHA says; nothing else of the environment has to be right for a build. */
function namedCommit(): string | undefined {
  return readConfig({ PARLEY_GIT_SHA: process.env['PARLEY_GIT_SHA'] }).gitSha;
}

/** A module and all that it imports, but for what it imports when it gets there. */
function addWithImports(id: string, found: Set<string>, infoOf: (id: string) => ModuleInfo | null): void {
  if (found.has(id)) return;
  found.add(id);
  for (const imported of infoOf(id)?.importedIds ?? []) addWithImports(imported, found, infoOf);
}
