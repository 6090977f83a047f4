import { fileURLToPath } from 'node:url';
import { builtFromSources } from './checkout.ts';
import { files } from './files.ts';

/** The folder of the built files. In a checkout they are built first if the sources have changed. */
export async function builtWebFolder(): Promise<string> {
  return files.built === undefined
    ? builtFromSources()
    : fileURLToPath(new URL(files.built, import.meta.url));
}
