/**
 * Bundles `dist/`: everything that Parley needs at run time except Node.js and Postgres.
 *
 * One file holds the code that `parley mcp` needs to list its tools, so that a start reads one file. Other code is
 * loaded on first use. The bundle is CommonJS, because Node.js starts it faster. The same input gives the same bytes.
 * Names and lines are kept, so that stack traces in logs are readable without a source map.
 *
 * Usage: npm run build [-- --out FOLDER]
 */
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type ModuleInfo, type OutputOptions, type RolldownPluginOption, rolldown } from 'rolldown';
import { checkedOutCommit } from '../../src/command-line/build-info.ts';
import { listing } from '../../src/command-line/tool-listing.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { files } from '../../src/services/rendering/files.ts';
import { buildWeb } from '../web/build-web.ts';
import { writeDeclarations } from './declarations.ts';
import { noticesOf } from './notices.ts';
import { asciiOnly, externalAs, inPlaceOf, lazySchemas, withoutValidator } from './plugins.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Knex drivers that Parley never loads, and pg's optional native binding. */
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

/** Files that are copied next to the bundle: path to name. */
const beside = new Map(
  [files.wasm, ...files.fonts].map((url) => [fileURLToPath(url), path.basename(fileURLToPath(url))]),
);

/** The folder of the web files, in the folder of the bundle. */
const webFolder = 'web';

/** The module that `parley/disclosure` publishes. */
const disclosure = 'src/disclosure/index.ts';

/** Replaces the paths of `src/services/rendering/files.ts` in the bundle. */
const filesBeside = {
  worker: './rendering.cjs',
  wasm: besideBundle(files.wasm),
  fonts: files.fonts.map(besideBundle),
};

const { values } = parseArgs({ options: { out: { type: 'string', default: path.join(root, 'dist') } } });
await build(path.resolve(values.out));

async function build(out: string): Promise<void> {
  const first = new Set<string>();
  const lazily: RolldownPluginOption[] = [
    withoutValidator(),
    lazySchemas(),
    {
      name: 'first',
      buildEnd() {
        for (const file of ['src/main.ts', 'src/command-line/commands/mcp.ts'])
          addWithImports(path.join(root, file), first, (id) => this.getModuleInfo(id));
      },
    },
  ];
  // What is loaded without `main` has a bundle of its own, because a chunk shared with `main` would run `main`. `main` loads
  // the bundle of the disclosure rule, so that its word lists are shipped once.
  const published = await bundled({ 'disclosure/index': disclosure });
  const main = await bundled({ main: 'src/main.ts' }, [
    externalAs(path.join(root, disclosure), './disclosure/index.cjs'),
    ...lazily,
  ]);
  const thread = await bundled({ thread: 'src/platform/threads/worker.ts' });
  const rendering = await bundled({ rendering: 'src/services/rendering/worker.ts' });
  const extraction = await bundled({ extraction: 'src/resources/knowledge/extraction/worker.ts' });
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const groups = [{ name: 'main', test: (id: string) => first.has(id) }];
  const written = [
    ...(await published(out)),
    ...(await main(out, { codeSplitting: { groups } })),
    ...(await thread(out)),
    ...(await rendering(out)),
    ...(await extraction(out)),
  ];
  writeDeclarations(path.basename(disclosure, '.ts'), path.join(out, 'disclosure'));
  for (const [source, name] of beside) copyFileSync(source, path.join(out, name));
  const modules = [
    ...written.flatMap(({ moduleIds }) => moduleIds),
    ...(await buildWeb(path.join(out, webFolder))),
  ];
  writeFileSync(path.join(out, 'NOTICES'), noticesOf([...modules, ...beside.keys()]));
  for (const { fileName, code } of written) console.log(`${fileName}  ${Math.ceil(code.length / 1024)} KiB`);
}

/** Bundles an entry and its imports. Returns a function that writes the files. */
async function bundled(input: Record<string, string>, plugins: RolldownPluginOption[] = []) {
  const bundle = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    external: neverLoaded,
    plugins: [
      inPlaceOf(root, {
        'src/command-line/tool-listing.ts': { listing },
        'src/command-line/built-commit.ts': { builtCommit: namedCommit() ?? checkedOutCommit(root) },
        'src/platform/threads/worker-file.ts': { files: { worker: './thread.cjs' } },
        'src/services/rendering/files.ts': { files: filesBeside },
        'src/transports/web/files.ts': { files: { built: `./${webFolder}/` } },
        'src/resources/knowledge/extraction/worker-file.ts': { files: { worker: './extraction.cjs' } },
      }),
      ...plugins,
      asciiOnly(),
    ],
    onLog(level, log, pass) {
      // koa's dependency depd uses eval to name functions in its messages.
      if (log.code === 'EVAL' && log.id?.includes('/depd/')) return;
      pass(level === 'warn' ? 'error' : level, log);
    },
  });
  return async (out: string, options: OutputOptions = {}) => {
    const { output } = await bundle.write({
      ...options,
      dir: out,
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name]-[hash].cjs',
      comments: false,
      minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
    });
    await bundle.close();
    return output.filter((file) => file.type === 'chunk');
  };
}

function besideBundle(url: string): string {
  return `./${beside.get(fileURLToPath(url))}`;
}

/** Returns PARLEY_GIT_SHA. A build validates no other environment variable. */
function namedCommit(): string | undefined {
  return readConfig({ PARLEY_GIT_SHA: process.env['PARLEY_GIT_SHA'] }).gitSha;
}

/** Adds a module and its static imports, recursively; dynamic imports are left out. */
function addWithImports(id: string, found: Set<string>, infoOf: (id: string) => ModuleInfo | null): void {
  if (found.has(id)) return;
  found.add(id);
  for (const imported of infoOf(id)?.importedIds ?? []) addWithImports(imported, found, infoOf);
}
