import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The compiler's start file. Its package exports only the version. */
const compiler = path.join(
  path.dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin/tsc',
);

/**
 * Writes the declarations of a module and of the modules that they name, and a package.json by which TypeScript reads them as
 * CommonJS, like the bundle next to them.
 * @param entry the name, without extension, of a module that `declarations.json` lists
 * @param out an existing folder
 * @throws if the compiler finds an error
 */
export function writeDeclarations(entry: string, out: string): void {
  const made = mkdtempSync(path.join(tmpdir(), 'parley-declarations-'));
  try {
    const project = path.join(import.meta.dirname, 'declarations.json');
    execFileSync(process.execPath, [compiler, '--project', project, '--outDir', made], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    copyWithImports(entry, made, out, new Set());
    writeFileSync(path.join(out, 'package.json'), '{"type":"commonjs"}\n');
  } finally {
    rmSync(made, { recursive: true });
  }
}

/** Copies `NAME.d.ts` and, recursively, the declarations that it imports. */
function copyWithImports(name: string, from: string, to: string, copied: Set<string>): void {
  if (copied.has(name)) return;
  copied.add(name);
  const file = `${name}.d.ts`;
  const target = path.join(to, file);
  mkdirSync(path.dirname(target), { recursive: true });
  copyFileSync(path.join(from, file), target);
  for (const [, imported = ''] of readFileSync(target, 'utf8').matchAll(/from '(\.[^']+)\.ts'/g))
    copyWithImports(path.join(path.dirname(name), imported), from, to, copied);
}
