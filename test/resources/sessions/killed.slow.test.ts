import { expect, onTestFinished, test } from 'vitest';
import { createChatAgent, openVisitor } from '../../helpers/chat-visits.ts';
import { cloneDatabase } from '../../helpers/database.ts';
import { openLaboratory } from '../../helpers/laboratory.ts';
import { startReplica } from '../../helpers/replica-process.ts';
import { desk } from '../../helpers/session-project.ts';
import { openSite } from '../../helpers/wall-trial.ts';

test('a server killed in the middle of a turn leaves the session as it was, and another one plays the turn', async () => {
  const database = await cloneDatabase();
  const laboratory = openLaboratory(database.url);
  onTestFinished(async () => {
    await laboratory.close();
    await database.drop();
  });
  const ids: string[] = [];
  const reached = Promise.withResolvers<void>();
  // The first request waits for ever; its server is killed meanwhile.
  const site = await openSite((request, response) => {
    ids.push(String(request.headers['webhook-id']));
    if (ids.length === 1) reached.resolve();
    else response.end('{}');
  });
  const settings = { PARLEY_FETCH_ALLOW: site.allow.join(',') };
  const [first, second] = [
    await startReplica(database.url, settings),
    await startReplica(database.url, settings),
  ];
  onTestFinished(async () => {
    await Promise.all([first.kill(), second.kill()]);
  });
  const tenant = await laboratory.tenant({ plan: 'enterprise' });
  const webAgentId = await createChatAgent(laboratory, first.base, tenant, {
    ...desk,
    hooks: {
      after: {
        entryPoints: { bye: 'log' },
        nodes: {
          log: {
            id: 'log',
            webhook: { url: `${site.url}/calls`, payload: [], timeoutSeconds: 30 },
          },
        },
      },
    },
  });
  const visitor = await openVisitor(first.base, tenant, webAgentId);
  await visitor.send({ start: true });
  await visitor.send({ text: 'Book a table', messageId: 'm1' });
  const before = await laboratory.rows<{ state: string }>('select state::text from sessions', {});
  const sent = visitor.send({ text: 'on 2026-12-24', messageId: 'm2' }, { attempts: 1 });
  const cut = sent.then(String, String);
  await reached.promise;
  await first.kill();
  expect(await cut).toContain('not stored');
  expect(await laboratory.rows('select state::text from sessions', {})).toEqual(before);
  const done = await visitor.send({ text: 'on 2026-12-24', messageId: 'm2' }, { base: second.base });
  expect(done.turn).toBe(2);
  // Not before the lease of the killed server was over.
  expect(done.milliseconds).toBeLessThan(20_000);
  expect(ids).toHaveLength(2);
  expect(ids[0]).toBe(ids[1]);
  const turns = await laboratory.rows('select number, message_id from session_turns order by number', {});
  expect(turns).toEqual([
    { number: 0, message_id: null },
    { number: 1, message_id: 'm1' },
    { number: 2, message_id: 'm2' },
  ]);
}, 60_000);
