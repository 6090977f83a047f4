import { ConfigError, readConfig } from '../../platform/config/config.ts';
import { readBuild } from '../build-info.ts';
import { parseArguments } from '../command.ts';

export const usage = '';
export const summary = 'Prints the version and the commit';

export async function run(args: readonly string[]): Promise<void> {
  parseArguments(args, {});
  const { version, gitSha } = readBuild(configuredCommit());
  process.stdout.write(`parley ${version} (${gitSha})\n`);
}

/** Ignores a wrong environment, because a bug report needs the version anyway. */
function configuredCommit(): string | undefined {
  try {
    return readConfig().gitSha;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return undefined;
  }
}
