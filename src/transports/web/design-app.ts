import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ToolError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { builtWebFolder } from './built-folder.ts';

/**
 * Returns a function that reads the page which MCP hosts show for a design.
 * @returns a function that rejects with ToolError `not_found` if the page cannot be built
 */
export function designAppReader(log: Log): () => Promise<string> {
  return async () => {
    try {
      return await readFile(path.join(await builtWebFolder(), 'design-app.html'), 'utf8');
    } catch (err) {
      log.warn({ err }, 'the page of designs for MCP hosts is not built');
      throw new ToolError('not_found', 'The page is not built. The log of the server says why.', {
        hint: 'Run `npm ci` in the checkout and start the server again. The tools work without the page.',
      });
    }
  };
}
