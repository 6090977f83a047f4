/**
 * Lets a visitor talk as fast as possible, and counts the calls of the model: in one session, in one session of a design whose
 * answer leads to itself, and in one session after another, sixteen at once, on one of three websites: from addresses that do not
 * count, from one public address, and from many networks, all behind a trusted proxy. Meanwhile one visitor after another books a table on each website.
 *
 * Usage: node test/faults/fast-visitor.ts [--seconds 15] [--calls 0]
 * --calls: the limit of a web agent, and a third of that of the project; 0 leaves the defaults.
 * FAST_VISITOR_TREE: the folder of the Parley to run, such as a checkout of an earlier commit.
 */
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Design } from '../../src/design/schema/design.ts';
import { createChatAgent } from '../helpers/chat-visits.ts';
import { openLaboratory, runAsScript } from '../helpers/laboratory.ts';
import { startReplica } from '../helpers/replica-process.ts';
import { fillsForm } from '../helpers/response-form.ts';
import { openUpstream } from '../helpers/upstream.ts';
import type { Tenant } from '../helpers/world.ts';

const tree = path.resolve(process.env['FAST_VISITOR_TREE'] ?? path.join(import.meta.dirname, '../..'));
/** Sessions that the visitor talks in at once. */
const sessionsAtOnce = 16;

const hello = { kind: 'greeting', introLine: 'Hello, I am an AI assistant.' } as const;
const desk: Design = {
  schemaVersion: 'cd/1',
  entry: { stepId: 'hello' },
  variables: [{ id: 'day', type: 'text' }],
  steps: {
    hello: { ...hello, on: { next: 'menu' } },
    menu: {
      kind: 'route',
      prompt: 'Book a table?',
      options: [{ id: 'book', title: 'Book a table', description: 'A reservation.', target: 'ask' }],
      on: { fallback: 'menu' },
    },
    ask: {
      kind: 'collect',
      prompt: 'For which date?',
      collect: [{ id: 'day', variableId: 'day', description: 'Date' }],
      on: { next: 'bye' },
    },
    bye: { kind: 'end', line: 'Goodbye.' },
  },
};
const circle: Design = {
  schemaVersion: 'cd/1',
  entry: { stepId: 'hello' },
  steps: {
    hello: { ...hello, on: { next: 'ask' } },
    ask: { kind: 'answer', instruction: 'Answer.', on: { next: 'ask', noAnswer: 'ask' } },
  },
};

/** A model that understands who books a table, and knows no answer. */
const understands = fillsForm(({ name, material }) => {
  if (name === 'route') return JSON.stringify(material).includes('a table, please') ? { option: 'book' } : {};
  return name === 'collect' ? { values: { day: '2026-12-24' } } : {};
});

/** Who floods a website: the address of each of its hands, as the proxy adds it; none for an address that does not count. */
const floods: readonly (readonly [name: string, address: ((hand: number) => string) | undefined])[] = [
  ['an address that does not count', undefined],
  ['one public address', () => '198.51.100.66'],
  ['sixteen /56 of one /48', (hand) => `2001:db8:0:${(hand * 256).toString(16)}::1`],
  ['sixteen addresses of one /24', (hand) => `198.51.100.${hand}`],
  ['sixteen unrelated addresses', (hand) => `${20 + hand}.0.0.1`],
];

/** A session: sends a message, and returns the status and the stream. */
async function openSession(base: string, { key }: Tenant, webAgentId: string, address?: string) {
  const forwarded = address === undefined ? {} : { 'x-forwarded-for': address };
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...forwarded };
  const body = JSON.stringify({ webAgentId });
  const response = await fetch(`${base}/v1/web-sessions`, { method: 'POST', headers, body });
  const { roomUrl, token } = (await response.json()) as { roomUrl: string; token: string };
  let sent = 0;
  return async (text: string) => {
    const turn = await fetch(`${base}${new URL(roomUrl).pathname}/messages`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${token}` },
      body: JSON.stringify({ text, messageId: `m${sent++}` }),
    });
    return { status: turn.status, stream: await turn.text() };
  };
}

async function tryVisitor(databaseUrl: string, seconds: number, calls: number): Promise<boolean> {
  const upstream = await openUpstream({ otherwise: understands });
  const limits = {
    PARLEY_SPENDING_WEB_AGENT: `calls=${calls}`,
    PARLEY_SPENDING_PROJECT: `calls=${3 * calls}`,
  };
  const trusted = { PARLEY_TRUSTED_PROXIES: '127.0.0.1' };
  const settings = { OPENAI_BASE_URL: upstream.baseUrl, ...trusted, ...(calls > 0 && limits) };
  const replica = await startReplica(databaseUrl, settings, undefined, tree);
  const laboratory = openLaboratory(databaseUrl);
  const { base } = replica;
  /** Talks until the time is over: in one session, or in a new one after each that ends or is refused. */
  const talk = async (
    tenant: Tenant,
    webAgentId: string,
    until: number,
    inOne: boolean,
    address?: string,
  ) => {
    let turns = 0;
    let refused = 0;
    let say = await openSession(base, tenant, webAgentId, address);
    while (performance.now() < until) {
      const { status, stream } = await say('Tell me more.');
      if (status === 200) turns += 1;
      else refused += 1;
      const isOver = status !== 200 || stream.includes('event: end');
      if (isOver && !inOne) say = await openSession(base, tenant, webAgentId, address);
    }
    return { turns, refused };
  };
  console.log(`Parley in ${tree}, ${seconds} s each.\n`);
  console.log('| visitor | turns | refused | calls of the model |\n| --- | --- | --- | --- |');
  const row = (name: string, talked: readonly { turns: number; refused: number }[]) => {
    const sum = (member: 'turns' | 'refused') => talked.reduce((all, one) => all + one[member], 0);
    console.log(`| ${name} | ${sum('turns')} | ${sum('refused')} | ${upstream.received.length} |`);
    upstream.received.length = 0;
  };
  try {
    const tenants = Array.from({ length: 3 }, () => laboratory.tenant({ plan: 'enterprise' }));
    const [one, two, three] = await Promise.all(tenants);
    if (!one || !two || !three) throw new Error('no tenants');
    const end = () => performance.now() + 1_000 * seconds;
    const inCircles = await createChatAgent(laboratory, base, two, circle);
    row('one session', [await talk(one, await createChatAgent(laboratory, base, one, desk), end(), true)]);
    row('one session, answer leads to itself', [await talk(two, inCircles, end(), true)]);
    const circling = await createChatAgent(laboratory, base, three, circle);
    const circles = Array.from({ length: sessionsAtOnce }, () => talk(three, circling, end(), false));
    row('many sessions, answer leads to itself', await Promise.all(circles));

    const tables: string[] = [];
    let hasFailed = false;
    for (const [name, addressOf] of floods) {
      const tenant = await laboratory.tenant({ plan: 'enterprise' });
      const websites: string[] = [];
      for (let count = 0; count < 3; count++)
        websites.push(await createChatAgent(laboratory, base, tenant, desk));
      const until = end();
      const flood = Array.from({ length: sessionsAtOnce }, (_, hand) =>
        talk(tenant, websites[0] ?? '', until, false, addressOf?.(hand)),
      );
      const bookings = websites.map(async (webAgentId, website) => {
        let booked = 0;
        let failed = 0;
        while (performance.now() < until) {
          const say = await openSession(
            base,
            tenant,
            webAgentId,
            `${41 + ((booked + failed) % 100)}.${website}.0.1`,
          );
          const first = await say(`I want to book a table, please. Desk ${website}.`);
          const last = await say(`on 2026-12-1${website}`);
          if (first.stream.includes('For which date?') && last.stream.includes('Goodbye.')) booked += 1;
          else failed += 1;
          await delay(200);
        }
        return { booked, failed };
      });
      const talked = await Promise.all(flood);
      const booked = await Promise.all(bookings);
      const asked = upstream.received.map(({ body }) => JSON.stringify(body.messages.at(-1)));
      row(`${sessionsAtOnce} sessions at once on one of three websites, from ${name}`, talked);
      for (const [website, { booked: done, failed }] of booked.entries()) {
        const read = asked.filter(
          (text) => text.includes(`Desk ${website}`) || text.includes(`12-1${website}`),
        );
        const which = website === 0 ? 'flooded' : `neighbour ${website}`;
        tables.push(`| ${name} | ${which} | ${done} | ${failed} | ${read.length} |`);
        hasFailed ||= failed > 0;
      }
    }
    console.log('\n| flood from | website | tables booked | not booked | calls of the model for them |');
    console.log(`| --- | --- | --- | --- | --- |\n${tables.join('\n')}`);
    return !hasFailed;
  } finally {
    await replica.kill();
    await laboratory.close();
    upstream.close();
  }
}

await runAsScript(
  import.meta.url,
  'seconds',
  15,
  (databaseUrl, seconds, { calls = 0 }) => tryVisitor(databaseUrl, seconds, calls),
  { calls: 0 },
);
