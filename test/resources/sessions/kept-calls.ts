import { randomUUID } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import type { Design, Step } from '../../../src/design/schema/design.ts';
import { speaks, transcribes } from '../../helpers/openai-wire.ts';
import { fillsForm } from '../../helpers/response-form.ts';
import { eventsIn, openSessionProject, type Streamed, type Visit } from '../../helpers/session-project.ts';
import type { Reaction } from '../../helpers/upstream.ts';
import { openSite } from '../../helpers/wall-trial.ts';
import { wav } from '../../helpers/wav.ts';
import { openWorld } from '../../helpers/world.ts';

/** What a visitor does. `model` holds what the model returns, in order. */
export type Move =
  | { readonly say: string; readonly model?: readonly string[] }
  | { readonly record: string; readonly model?: readonly string[] }
  | { readonly leave: true; readonly model?: readonly string[] };

/** A call whose state is kept. */
interface CallToKeep {
  readonly about: string;
  /** `{receiver}` stands for the address that receives requests. */
  readonly design: Design;
  /** What leads to the state, after the opening. */
  readonly before: readonly Move[];
  /** What the call goes on with. */
  readonly after: readonly Move[];
}

/** What came of a move: the events of the stream. */
export interface Continued {
  readonly move: Move;
  readonly events: readonly Streamed[];
}

/** The state of an open call as a release has stored it, and how that release went on. */
export interface KeptCall {
  readonly about: string;
  /** `{receiver}` stands for the address that receives requests. */
  readonly design: Design;
  readonly row: { readonly played: number; readonly turns: number; readonly last_step: string | null };
  readonly state: Readonly<Record<string, unknown>>;
  readonly continued: readonly Continued[];
  readonly status: { readonly status: string; readonly step: string | null; readonly reason: string | null };
  /** The requests of hooks after the kept moment. */
  readonly requests: readonly { readonly url: string; readonly body: unknown }[];
}

const disclosure = 'Hello, I am an AI assistant.';
const bye: Step = { kind: 'end', line: 'Goodbye, {{name}}.' };
const name: NonNullable<Design['variables']> = [{ id: 'name', type: 'text' }];

function designOf(steps: Readonly<Record<string, Step>>, more: Partial<Design> = {}): Design {
  const [stepId = ''] = Object.keys(steps);
  const hello: Step = { kind: 'greeting', introLine: disclosure, on: { next: stepId } };
  return {
    schemaVersion: 'cd/1',
    entry: { stepId: 'hello' },
    variables: name,
    steps: { hello, ...steps },
    ...more,
  };
}

const contact: Extract<Step, { kind: 'collect' }> = {
  kind: 'collect',
  prompt: 'Your e-mail address and your phone number?',
  collect: [
    { id: 'e', variableId: 'mail', description: 'E-mail address', required: true },
    { id: 'p', variableId: 'phone', description: 'Phone number', required: true },
  ],
  on: { next: 'bye', failed: 'sorry' },
};
const readsBack: Step = { ...contact, readBack: 'I have noted {{mail}} and {{phone}}. Is that right?' };
const ofContact: Partial<Design> = {
  variables: [
    { id: 'mail', type: 'text' },
    { id: 'phone', type: 'text' },
  ],
};
const thanks: Step = { kind: 'end', line: 'Thank you: {{mail}}, {{phone}}.' };
const sorry: Step = { kind: 'end', line: 'Sorry. I have {{mail}} only.' };

/** Looks an order up before the call, and reports the call after it. */
const hooked: Design = {
  ...designOf({
    menu: {
      kind: 'route',
      prompt: 'The order {{order.number}} is {{order.state}}. Change it, or keep it?',
      options: [
        { id: 'change', title: 'Change', target: 'day' },
        { id: 'keep', title: 'Keep', target: 'bye' },
      ],
      on: { fallback: 'menu' },
    },
    day: {
      kind: 'collect',
      prompt: 'To which date?',
      collect: [{ id: 'd', variableId: 'day', description: 'Date', required: true }],
      on: { next: 'bye' },
    },
    bye: { kind: 'end', line: 'Goodbye: {{day}}.' },
  }),
  variables: [
    { id: 'order', type: 'object' },
    { id: 'day', type: 'text' },
  ],
  hooks: {
    before: {
      rootNodeId: 'lookup',
      nodes: {
        lookup: {
          id: 'lookup',
          fetch: {
            url: '{receiver}/orders',
            method: 'GET',
            responseMappings: [{ id: 'o', variableId: 'order', path: 'order' }],
          },
          next: { step: 'hello' },
        },
      },
    },
    after: {
      entryPoints: { bye: 'report' },
      prematureHangupNodeId: 'report',
      nodes: {
        report: {
          id: 'report',
          webhook: {
            url: '{receiver}/calls/{{order.number}}',
            payload: [
              { id: 'd', key: 'day', source: 'variable', variableId: 'day' },
              { id: 'e', key: 'endedAt', source: 'variable', systemVariable: 'endedAtStep' },
              { id: 'c', key: 'channel', source: 'variable', systemVariable: 'channel' },
            ],
          },
        },
      },
    },
  },
};

/** Answers questions, three at most. */
const answers = designOf({
  questions: {
    kind: 'answer',
    instruction: 'Answer in one sentence, and call the visitor {{name}}.',
    maxTurns: 3,
    on: { next: 'bye', noAnswer: 'bye' },
  },
  bye,
});

const answered = (text: string) => JSON.stringify({ answered: true, text, done: false });

/** The calls whose states are kept, by the names of their files. */
export const callsToKeep: Readonly<Record<string, CallToKeep>> = {
  'collect-half': {
    about: 'A collect step has one of its two items, and has asked again.',
    design: designOf({ contact, bye: thanks, sorry }, ofContact),
    before: [{ say: 'ada@example.com' }],
    after: [{ say: 'I do not know' }, { say: '+1 202 555 0143' }],
  },
  'collect-read-back': {
    about: 'A collect step has read back what it has noted.',
    design: designOf({ contact: readsBack, bye: thanks, sorry }, ofContact),
    before: [{ say: 'ada@example.com and +1 202 555 0143' }],
    after: [{ say: 'No, my phone number is +1 202 555 0199' }, { say: 'Yes' }],
  },
  'collect-changing': {
    about: 'A collect step has asked what to change, after the visitor has rejected what it had noted.',
    design: designOf({ contact: readsBack, bye: thanks, sorry }, ofContact),
    before: [{ say: 'ada@example.com and +1 202 555 0143' }, { say: 'No' }],
    after: [{ say: 'bob@example.com' }, { say: 'Yes, that is right' }],
  },
  'collect-last-attempt': {
    about: 'A collect step has asked twice, and fails with the next turn.',
    design: designOf({ contact, bye: thanks, sorry }, ofContact),
    before: [{ say: 'ada@example.com' }, { say: 'I do not know' }],
    after: [{ say: 'Still not' }],
  },
  'consent-unclear': {
    about: 'A consent step has not understood the first reply.',
    design: designOf({
      consent: { kind: 'recordingConsent', line: 'May I record?', on: { next: 'bye', declined: 'no' } },
      bye,
      no: { kind: 'end', line: 'Then I do not record.' },
    }),
    before: [{ say: 'Hm' }],
    after: [{ say: 'Perhaps' }],
  },
  'route-asked-twice': {
    about: 'A route step without a fallback has asked twice.',
    design: designOf({
      menu: {
        kind: 'route',
        prompt: 'Sales or service?',
        options: [
          { id: 'hours', title: 'Hours', description: 'We are open from nine to five.' },
          { id: 'sales', title: 'Sales', target: 'connect' },
          { id: 'service', title: 'Service', target: 'bye' },
        ],
      },
      connect: {
        kind: 'transfer',
        line: 'I connect you.',
        destination: { kind: 'phoneNumber', value: '+12025550155' },
        on: { failed: 'bye' },
      },
      bye,
    }),
    before: [{ say: 'xyzzy' }],
    after: [{ say: 'Your hours, please' }, { say: 'xyzzy' }],
  },
  'hooks-completed': {
    about: 'The hook before the call has set an object, and the hook after it is still to run.',
    design: hooked,
    before: [{ say: 'Change it' }],
    after: [{ say: 'on 2026-12-24' }],
  },
  'hooks-left': {
    about: 'The same call, whose visitor leaves.',
    design: hooked,
    before: [{ say: 'xyzzy' }],
    after: [{ leave: true }],
  },
  'history-full': {
    about: 'The call has 499 turns, and the history as many as it keeps.',
    design: designOf({
      menu: {
        kind: 'route',
        prompt: 'Sales or service?',
        options: [{ id: 'service', title: 'Service', target: 'bye' }],
        on: { fallback: 'menu' },
      },
      bye,
    }),
    before: Array.from({ length: 499 }, (_, index) => ({ say: `xyzzy ${index}` })),
    after: [{ say: 'xyzzy' }, { say: 'xyzzy' }],
  },
  'speech-answers': {
    about: 'A visitor speaks, a model answers, and two of three questions are left.',
    design: answers,
    before: [{ record: 'When do you open?', model: [answered('At nine, {{name}}.')] }],
    after: [
      { record: 'And on Sunday?', model: [answered('Not on Sundays.')] },
      { record: '', model: [] },
    ],
  },
  'speech-last-question': {
    about: 'A visitor speaks, a model answers, and one question is left.',
    design: answers,
    before: [
      { record: 'When do you open?', model: [answered('At nine.')] },
      { record: 'And on Sunday?', model: [answered('Not on Sundays.')] },
    ],
    after: [{ record: 'And on Monday?', model: [answered('At ten.')] }],
  },
};

/** A server with a receiver of requests, on which calls are played. */
export async function openStage({ speaks: hasModels }: { readonly speaks: boolean }) {
  const requests: { url: string; body: unknown }[] = [];
  const site = await openSite((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => (body += part));
    request.on('end', () => {
      requests.push({ url: request.url ?? '', body: body === '' ? null : JSON.parse(body) });
      response.end(JSON.stringify({ order: { number: 17, state: 'packed', parts: ['a', { b: null }] } }));
    });
  });
  const world = await openWorld({
    outbound: { allow: site.allow },
    liveKit: undefined,
    ...(!hasModels && { models: undefined }),
  });
  onTestFinished(() => world.close());
  const project = await openSessionProject(world);
  let texts: string[] = [];
  let heard = '';
  const reaction: Reaction = (request, response) => {
    if (request.path.endsWith('/transcriptions')) return transcribes(heard)(request, response);
    if (request.path.endsWith('/speech')) return speaks(Buffer.from('speech'))(request, response);
    return fillsForm(() => JSON.parse(texts.shift() ?? '{}'))(request, response);
  };
  world.upstream.reacts(reaction);
  const send = (visit: Visit, move: Move): Promise<Response> => {
    texts = [...(move.model ?? [])];
    if ('say' in move) return visit.request('POST', '/messages', { text: move.say, messageId: randomUUID() });
    if ('leave' in move) return visit.request('POST', '/end');
    heard = move.record;
    return fetch(`${visit.roomUrl}/speech?messageId=${randomUUID()}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${visit.token}`, 'content-type': 'audio/webm;codecs=opus' },
      body: new Uint8Array(wav()),
    });
  };
  const rowOf = async ({ id }: Visit) => {
    const [row] = await world.rows('select played, turns, last_step, state from sessions where id = $1', [
      id,
    ]);
    const { state, ...others } = row as KeptCall['row'] & { readonly state: KeptCall['state'] | null };
    return { row: others, state };
  };
  return {
    world,
    rowOf,
    send,
    /** Replaces the state of a session that has begun by that of a kept call. */
    give: (visit: Visit, { row, state }: Pick<KeptCall, 'row' | 'state'>) =>
      world.rows('update sessions set played = $2, turns = $3, last_step = $4, state = $5 where id = $1', [
        visit.id,
        row.played,
        row.turns,
        row.last_step,
        JSON.stringify(state),
      ]),
    requests,
    /** Starts a call of this design, in which `{receiver}` stands for the receiver. */
    async start(design: Design): Promise<Visit> {
      const own = JSON.parse(JSON.stringify(design).replaceAll('{receiver}', site.url));
      const scopes = hasModels ? ['voice', 'chat'] : ['chat'];
      const visit = await project.visit(await project.agentOf(own, { scopes }));
      await visit.start();
      return visit;
    },
    /** Makes the moves of a visitor. Returns what a kept call holds about them, and what each of them has stored. */
    async go(visit: Visit, moves: readonly Move[]) {
      requests.length = 0;
      world.upstream.received.length = 0;
      const continued: Continued[] = [];
      const states: (KeptCall['state'] | null)[] = [];
      for (const move of moves) {
        const response = await send(visit, move);
        const text = await response.text();
        expect(response.status, text).toBe(200);
        continued.push({ move, events: 'leave' in move ? [] : eventsIn(text) });
        states.push((await rowOf(visit)).state);
      }
      const { status, step, reason } = await visit.show();
      const asked = world.upstream.received
        .filter(({ path }) => path.endsWith('/completions'))
        .map(({ body }) => JSON.stringify(body));
      return {
        told: { continued, status: { status, step, reason }, requests: [...requests] },
        states,
        asked,
      };
    },
  };
}

const speaksIn = (moves: readonly Move[]) => moves.some((move) => 'record' in move);

/** Plays a call up to the moment that is kept, and after it. */
export async function playToKeep({ about, design, before, after }: CallToKeep): Promise<KeptCall> {
  const stage = await openStage({ speaks: speaksIn(before) });
  const visit = await stage.start(design);
  await stage.go(visit, before);
  const { row, state } = await stage.rowOf(visit);
  if (!state) throw new TypeError(`the call is over: ${about}`);
  const { told } = await stage.go(visit, after);
  return { about, design, row, state, ...told };
}

/** Gives the state of a kept call to a session that has just begun, and makes the same moves. */
export async function playOn(kept: KeptCall) {
  const { design, continued } = kept;
  const moves = continued.map(({ move }) => move);
  const stage = await openStage({ speaks: speaksIn(moves) });
  const visit = await stage.start(design);
  await stage.give(visit, kept);
  return stage.go(visit, moves);
}
