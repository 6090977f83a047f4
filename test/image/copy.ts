import { cpSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Copy } from 'dockerfile-ast';

/** The part of a stage that COPY needs. */
interface Target {
  readonly name: string | undefined;
  readonly root: string;
  readonly workdir: string;
}

/**
 * Reads .dockerignore, which must ignore everything except a list of names.
 * @returns a function that tells whether an engine would receive a path of the context
 */
export function readIgnore(context: string): (relative: string) => boolean {
  const lines = readFileSync(path.join(context, '.dockerignore'), 'utf8').split('\n');
  const [first, ...others] = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const wrong = others.find((line) => !/^![\w.-]+$/.test(line));
  if (first !== '*' || wrong !== undefined) throw new Error('.dockerignore is not supported here');
  const allowed = new Set(others.map((line) => line.slice(1)));
  return (relative) => relative === '' || allowed.has(relative.split('/')[0] ?? '');
}

/** Runs a COPY instruction. Throws if it has a form that is not supported here. */
export function copyFiles(
  instruction: Copy,
  stage: Target,
  stages: readonly Target[],
  { context, isInContext }: { context: string; isInContext: (relative: string) => boolean },
): void {
  const flags = instruction.getFlags();
  const from = flags.find((flag) => flag.getName() === 'from')?.getValue();
  const source = from === undefined ? undefined : stages.find(({ name }) => name === from);
  if (flags.length > (source ? 1 : 0)) throw new Error(`${instruction.toString()} is not supported here`);
  const base = source?.root ?? context;
  const [to = '', ...places] = instruction
    .getArguments()
    .map((argument) => argument.getValue())
    .toReversed();
  const target = path.join(stage.root, path.posix.resolve(stage.workdir, to));
  for (const place of places.map((place) => path.join(base, place))) {
    const isIncluded = (file: string) => source !== undefined || isInContext(path.relative(base, file));
    if (!isIncluded(place)) throw new Error(`${place} is not in the context`);
    // COPY copies the content of a folder, not the folder.
    const inside = to.endsWith('/') && !statSync(place).isDirectory();
    cpSync(place, inside ? path.join(target, path.basename(place)) : target, {
      recursive: true,
      verbatimSymlinks: true,
      filter: isIncluded,
    });
  }
}
