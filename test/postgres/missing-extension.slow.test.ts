import { expect, onTestFinished, test } from 'vitest';
import { emptyDatabase, newHome, parley, query } from '../helpers/parley.ts';

test('prints what to do and changes nothing if the role may not create an extension', async () => {
  const url = await emptyDatabase();
  const role = `limited_${process.pid}_${Date.now()}`;
  await query(url, `create role ${role} login password 'limited'`);
  await query(url, `grant all on schema public to ${role}`);
  onTestFinished(async () => {
    await query(url, `drop owned by ${role} cascade`);
    await query(url, `drop role ${role}`);
  });
  const limited = Object.assign(new URL(url), { username: role, password: 'limited' }).href;
  const env = { DATABASE_URL: limited, PARLEY_HOME: newHome() };
  const { code, stdout, stderr } = await parley(['migrate'], env);
  expect({ code, stdout }).toStrictEqual({ code: 1, stdout: '' });
  expect(stderr.trim().split('\n').at(-1)).toMatch(
    /^parley: the database needs the extension btree_gin, .+ run "create extension btree_gin" there as a superuser\.$/,
  );
  expect(await query(url, `select to_regclass('knowledge_words') as made`)).toStrictEqual([{ made: null }]);
  for (const extension of ['btree_gin', 'pg_trgm']) await query(url, `create extension ${extension}`);
  // The job queue creates its own schema.
  await query(url, `grant create on database ${new URL(url).pathname.slice(1)} to ${role}`);
  expect(await parley(['migrate'], env)).toMatchObject({ code: 0 });
});
