import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { freePort } from '../helpers/second-server.ts';
import type { Image } from './build.ts';
import { copyCheckout } from './checkout.ts';
import { contentsOf, filesOf, isShipped, megabytes, unlike } from './listing.ts';
import type { Table } from './table.ts';
import { health, listFlows } from './use.ts';

interface Subject {
  /** An empty folder. */
  readonly folder: string;
  /** The environment of a machine with npm. */
  readonly env: Record<string, string>;
  /** The node_modules of a build, which this check moves. */
  readonly packages: string;
  readonly image: Image;
}

/** Packs a copy of the checkout, installs it in an empty folder, and starts it there on its own Postgres. */
export async function provePackage({ folder, env, packages, image }: Subject, { row }: Table): Promise<void> {
  const [checkout, place] = [path.join(folder, 'checkout'), path.join(folder, 'installed')];
  for (const made of [checkout, place]) mkdirSync(made);
  copyCheckout(checkout);
  rmSync(path.join(checkout, 'node_modules'), { recursive: true });
  renameSync(packages, path.join(checkout, 'node_modules'));
  const npm = (args: readonly string[], cwd: string) =>
    execFileSync('npm', args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });

  npm(['pack', '--silent', '--pack-destination', folder], checkout);
  const tarball = filesOf(folder).find(({ place }) => /^[^/]+\.tgz$/.test(place))?.place ?? 'none';
  npm(['install', '--silent', '--no-save', '--ignore-scripts', path.join(folder, tarball)], place);
  const installed = path.join(place, 'node_modules/parley');
  const files = filesOf(installed);
  const others = unlike(files, (file) => isShipped(file) || file === 'README.md');
  row(
    `\`npm pack\`, \`npm install ${tarball}\` in an empty folder`,
    `${files.length} files, ${megabytes(files)}; besides bin, dist, package.json, README.md: ${others || 'none'}`,
    others === '',
  );

  const [its, theirs] = [installed, path.join(image.root, image.workdir)].map((place) =>
    contentsOf(path.join(place, 'dist')),
  );
  const same = isDeepStrictEqual(its, theirs);
  row('bundles of package and image, built in two folders', same ? 'the same bytes' : 'differ', same);

  const port = await freePort();
  const home = { ...env, PARLEY_HOME: path.join(folder, 'home'), PORT: String(port) };
  const launcher = path.join(place, 'node_modules/.bin/parley');
  const child = spawn(launcher, ['serve'], { env: home, stdio: 'ignore' });
  const ended = once(child, 'exit');
  try {
    const base = `http://127.0.0.1:${port}`;
    await health(base, ended);
    const credentials = execFileSync(launcher, ['whoami', '--json'], { env: home, encoding: 'utf8' });
    const { status } = await listFlows(base, JSON.parse(credentials));
    child.kill('SIGTERM');
    const [code] = await ended;
    row(
      'starts on its own Postgres, accepts the key of its demo, and ends on SIGTERM',
      `${status}, exit status ${code}`,
      status === 200 && code === 0,
    );
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}
