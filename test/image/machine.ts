import { symlinkSync } from 'node:fs';
import path from 'node:path';

/** Variables that npm may need to reach a registry from this machine. */
const passedOn = ['HOME', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS'];

/**
 * Returns the environment of a machine that has this Node.js and npm, and none of our packages.
 * @param folder an empty folder for a link to Node.js
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
