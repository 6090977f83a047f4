import { expect, onTestFinished, test } from 'vitest';
import { toToolError } from '../../src/platform/errors.ts';
import { PipelinedConnection } from '../../src/postgres/pipelined.ts';
import { statement } from '../../src/postgres/statement.ts';
import { emptyDatabase } from '../helpers/parley.ts';
import { openWithholdingProxy } from '../helpers/withholding-proxy.ts';

const one = statement('one', (knex, $) => knex.select(knex.raw('?::text as answer', [$(0)])));

test('a point read without a response times out, and the next one uses a new connection', async () => {
  const databaseUrl = await emptyDatabase();
  const proxy = await openWithholdingProxy();
  onTestFinished(() => proxy.close());
  const connection = new PipelinedConnection(proxy.forwardToDatabase(databaseUrl), 100);
  onTestFinished(() => connection.close());
  const ask = (text: string) => connection.query(one, [text]);
  await expect(Promise.all([ask('a'), ask('b')])).resolves.toEqual([[{ answer: 'a' }], [{ answer: 'b' }]]);
  proxy.withhold();
  const reads = [ask('c'), ask('d')];
  await Promise.all(reads.map((read) => expect(read).rejects.toThrow('Query read timeout')));
  proxy.forwardToDatabase(databaseUrl);
  await expect(ask('e')).resolves.toEqual([{ answer: 'e' }]);
});

test('a missing socket counts as an unreachable database: the error has Retry-After', async () => {
  const connection = new PipelinedConnection('postgres://parley@localhost/parley?host=/nowhere');
  const thrown = await connection.query(one, ['a']).catch((error: unknown) => error);
  expect(toToolError(thrown)).toMatchObject({ status: 500, retryAfter: 1 });
});
