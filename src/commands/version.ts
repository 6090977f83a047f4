import { ConfigError, packageRoot, readConfig } from '../config.ts';
import { readBuild } from './build.ts';
import { parseArguments } from './command.ts';

export const usage = '';

/** `parley --version`: the version and the commit, as `/healthz` answers them. */
export async function run(args: readonly string[]): Promise<void> {
  parseArguments(args, {});
  const { version, gitSha } = readBuild(packageRoot, configuredSha());
  process.stdout.write(`parley ${version} (${gitSha})\n`);
}

/** Who reports what is wrong may have the environment wrong. */
function configuredSha(): string | undefined {
  try {
    return readConfig().gitSha;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return undefined;
  }
}
