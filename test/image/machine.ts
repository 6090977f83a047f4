import { symlinkSync } from 'node:fs';
import path from 'node:path';

/** What npm may need to get at a registry from here. */
const passedOn = ['HOME', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS'];

/**
 * The environment of a machine with this Node.js, the npm that is here, and no package of ours.
 * @param folder an empty one, for a link to Node.js
 */
export function bareMachine(folder: string): Record<string, string> {
  symlinkSync(process.execPath, path.join(folder, 'node'));
  const others = (process.env['PATH'] ?? '').split(':').filter((part) => !part.includes('node_modules'));
  const passed = passedOn.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(passed), PATH: [folder, ...others].join(':') };
}
