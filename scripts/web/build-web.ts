import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Rolldown } from 'vite';

/** A smaller file does not become smaller on its way. */
const leastToCompress = 1024;
const compressible = /\.(?:css|html|js|svg)$/;

/**
 * Builds the web files into a folder, and puts a compressed form next to each.
 * @returns the absolute paths of the modules that were bundled
 */
export async function buildWeb(folder: string): Promise<string[]> {
  // Otherwise a test, which sets it, would get React's development build.
  process.env['NODE_ENV'] = 'production';
  const { build } = await import('vite');
  const { default: studio } = await import('../../web/vite.config.ts');
  const { widget, tryPage } = await import('../../web/widget/vite.config.ts');
  const { designApp } = await import('../../web/design-app/vite.config.ts');
  const modules: string[] = [];
  for (const [config, outDir] of [
    [studio, folder],
    [widget, folder],
    [tryPage, path.join(folder, 'widget')],
    [designApp, folder],
  ] as const) {
    const result = await build({
      ...config,
      configFile: false,
      logLevel: 'warn',
      build: { ...config.build, outDir, emptyOutDir: config === studio },
    });
    for (const { output } of [result].flat() as Rolldown.RolldownOutput[])
      modules.push(...output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : [])));
  }
  await compressAll(folder);
  return modules;
}

async function compressAll(folder: string): Promise<void> {
  const files = globSync('**/*', { cwd: folder }).filter((name) => compressible.test(name));
  await Promise.all(
    files.map(async (name) => {
      const file = path.join(folder, name);
      const content = readFileSync(file);
      if (content.length < leastToCompress) return;
      const most = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
      writeFileSync(`${file}.br`, await promisify(brotliCompress)(content, most));
      writeFileSync(`${file}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }));
    }),
  );
}
