import { type Browser, chromium } from 'playwright-core';
import { findProgram } from '../helpers/find-program.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const usualFolders = ['/usr/bin', '/usr/local/bin', '/snap/bin', '/opt/google/chrome'];

/** The path of an installed Chromium, or undefined. */
export function findChromium(): string | undefined {
  return findProgram(names, usualFolders);
}

/**
 * Starts a Chromium that resolves hosts to the servers of a test and accepts any certificate.
 * @param hosts rules of `--host-resolver-rules`, such as `shop.example:80 127.0.0.1:4321`
 * @param more other arguments of Chromium
 */
export function openChromium(
  executablePath: string,
  hosts: readonly string[],
  more: readonly string[] = [],
): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--disable-background-networking',
      '--ignore-certificate-errors',
      `--host-resolver-rules=${hosts.map((rule) => `MAP ${rule}`).join(', ')}`,
      ...more,
      // Chromium's sandbox does not run as root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
}
