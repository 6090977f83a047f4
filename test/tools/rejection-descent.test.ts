import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { starterDesign } from '../../src/design/starter.ts';
import { created, type DesignProject, openDesignProject, refused } from '../helpers/design-project.ts';
import { timestamp } from '../helpers/project.ts';
import { runs, seed } from '../helpers/runs.ts';
import { type McpClient, openWorld, type World } from '../helpers/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

type Input = Record<string, unknown>;
type Kind = 'flow' | 'conversation';

/** A flow or conversation with three texts, and what may be done with its versions, over REST. */
interface Subject {
  readonly of: Input;
  /** Stores the texts as the next version. */
  write(texts: Texts): Promise<number>;
  /** Changes one text of a version; `merge` keeps what newer versions changed too. */
  edit(
    version: number,
    place: number,
    text: string,
    onConflict: 'merge' | 'branch',
  ): Promise<number | undefined>;
  restore(version: number): Promise<number>;
  read(version: number): Promise<Texts>;
  judge(version: number, judgement: Input): Promise<number>;
  activate(version: number): Promise<{ status: number; body: { error?: { code: string; details?: Input } } }>;
}

type Texts = readonly [string, string, string];

const stepNames = ['greeting', 'help', 'goodbye'] as const;
const members = ['closing', 'instructions', 'greeting'] as const;

const designOf = (texts: Texts) => ({
  ...starterDesign,
  steps: Object.fromEntries(
    stepNames.map((step, index) => [step, { ...starterDesign.steps[step], name: texts[index] }]),
  ),
});

const configurationOf = (texts: Texts) =>
  Object.fromEntries(members.map((member, index) => [member, texts[index]]));

async function subject(project: DesignProject, kind: Kind, texts: Texts): Promise<Subject> {
  const id =
    kind === 'conversation'
      ? await project.newConversation({ design: designOf(texts) })
      : (created(
          await project.call('POST', `/v1/projects/${project.projectId}/flows`, {
            name: 'Desk',
            flowSchema: configurationOf(texts),
          }),
        ).id as string);
  const versions = `/v1/${kind}s/${id}/versions`;
  const record = async (version: number) => {
    const { body } = await project.call('GET', `${versions}?limit=100`);
    return body.versions.find((one: { version: number }) => one.version === version);
  };
  const numberOf = ({ n, version }: { n?: number; version?: number }) => n ?? version ?? 0;
  return {
    of: { [`${kind}Id`]: id },
    async write(texts) {
      const body = kind === 'flow' ? { flowSchema: configurationOf(texts) } : { design: designOf(texts) };
      return numberOf(created(await project.call('POST', versions, body)));
    },
    async edit(version, place, text, onConflict) {
      const [route, merge] =
        kind === 'flow'
          ? ['schema', { [members[place] ?? '']: text }]
          : ['design', { steps: { [stepNames[place] ?? '']: { name: text } } }];
      const mode = kind === 'flow' ? 'merge' : onConflict;
      const answer = await project.call('PATCH', `${versions}/${version}/${route}`, {
        merge,
        onConflict: mode,
      });
      return answer.status === 409 ? undefined : numberOf(created(answer));
    },
    async restore(version) {
      return created(await project.call('POST', `${versions}/${version}/restore`, {}))[kind].version;
    },
    async read(version) {
      if (kind === 'conversation') {
        const { body } = await project.read(id, version);
        return stepNames.map((step) => body.steps[step].name) as unknown as Texts;
      }
      const { flowSchema } = await record(version);
      return members.map((member) => flowSchema[member]) as unknown as Texts;
    },
    judge: async (version, judgement) =>
      (await project.call('POST', `${versions}/${version}/reject`, judgement)).status,
    activate: async (version) =>
      kind === 'conversation'
        ? project.activate(id, version)
        : project.call('POST', `/v1/flow-versions/${(await record(version)).id}/activate`),
  };
}

const reason = 'The closing is rude.';

describe.each(['flow', 'conversation'] as const)('a rejection of a version of a %s', (kind) => {
  test('applies over three generations of edits by two authors, until what was rejected is gone or it is lifted', async () => {
    const project = await openDesignProject(world, { plan: 'enterprise' });
    const [anna, ben] = [
      await keyOf(project, 'Anna', ['read', 'draft']),
      await keyOf(project, 'Ben', ['read', 'draft']),
    ];
    const as = (key: string): DesignProject => ({
      ...project,
      call: (method, route, body) => world.rest(method, route, { key, body }),
    });
    const owner = await subject(project, kind, ['Bye bye.', 'One moment.', 'Be kind.']);
    const by = async (key: string) => at(as(key), kind, owner.of);
    const [first, second] = [await by(anna), await by(ben)];
    expect(await first.edit(1, 0, 'Get lost.', 'branch')).toBe(2);
    expect(await owner.judge(2, { reason })).toBe(200);
    expect(await second.edit(2, 1, 'Hold the line.', 'branch')).toBe(3);
    expect(await first.edit(3, 2, 'Be brief.', 'branch')).toBe(4);

    const place = kind === 'flow' ? '/closing' : '/steps/greeting/name';
    const details = {
      version: 2,
      by: 'Key',
      at: timestamp,
      reason,
      places: [place],
      placeCount: 1,
      changes: [{ path: place, rejected: 'Get lost.', now: 'Get lost.' }],
    };
    for (const version of [3, 4])
      expect(refused((await owner.activate(version)) as never, 409, 'version_rejected')).toMatchObject({
        details,
        message: `Version 2 was rejected by Key: ${reason} This holds what it brought: ${place}. It does not go live.`,
      });

    const client = await world.mcp('modern http', project.key);
    const tool = (name: string, input: Input) => answerOf(client, name, input);
    expect(await tool(`activate_${kind}_version`, { ...owner.of, version: 4 })).toMatchObject({
      error: { code: 'version_rejected', details },
    });
    const listed = await tool(`list_${kind}_versions`, owner.of);
    const rejection = { version: 2, by: 'Key', at: timestamp, reason };
    const changes = [{ path: place, rejected: 'Get lost.', now: 'Get lost.' }];
    const inherited = [{ ...rejection, places: [place], changes, blocks: true }];
    const [fourth, third, rejected, live] = listed['versions'] as Input[];
    expect([fourth, third]).toMatchObject([
      { author: 'Anna', inheritedRejections: inherited },
      { author: 'Ben', inheritedRejections: inherited },
    ]);
    expect(rejected).toMatchObject({ rejection: { by: 'Key', reason } });
    for (const one of [rejected, live]) expect(one).not.toHaveProperty('inheritedRejections');

    const { body: overview } = await project.call('GET', `/v1/projects/${project.projectId}/overview`);
    expect(overview.drafts).toMatchObject([
      { active: 1, newest: 4, authors: ['Anna', 'Ben'], rejections: inherited },
    ]);
    const problem = `(made by Anna, Ben) holds what Key rejected in v2: ${reason}`;
    expect(overview.problems.join()).toContain(problem);
    const onMcp = await tool('get_project_overview', {});
    expect(JSON.stringify(onMcp['problems'])).toContain(problem);
    expect(JSON.stringify(onMcp['next'])).not.toContain('activate_');
    if (kind === 'conversation') {
      const compared = (version: number) => tool('diff_designs', { ...owner.of, version });
      expect(await compared(4)).toMatchObject({ inheritedRejections: inherited });
      expect(await compared(2)).toMatchObject({ rejection: { by: 'Key', reason } });
    }

    expect(await first.edit(4, 0, 'Goodbye then.', 'branch')).toBe(5);
    const { body: corrected } = await project.call('GET', `/v1/projects/${project.projectId}/overview`);
    const reworded = [{ path: place, rejected: 'Get lost.', now: 'Goodbye then.' }];
    const changed = [{ ...rejection, places: [place], changes: reworded, blocks: true }];
    expect(corrected.drafts).toMatchObject([{ newest: 5, rejections: changed }]);
    expect(corrected.problems.join()).toContain(`rewords what Key rejected in v2: ${reason}`);
    expect(corrected.next.join()).not.toContain('activate_');
    const newest = async () => ((await tool(`list_${kind}_versions`, owner.of))['versions'] as Input[])[0];
    expect(await newest()).toMatchObject({ inheritedRejections: changed });
    const lift = `POST /v1/${kind}s/${owner.of[`${kind}Id`] as string}/versions/5/reject {"undo":true}`;
    expect(refused((await owner.activate(5)) as never, 409, 'version_rejected')).toMatchObject({
      details: { ...rejection, changes: reworded, lift },
      message: `Version 2 was rejected by Key: ${reason} This says something else there, which nobody has accepted: ${place}. It does not go live.`,
    });
    expect(await tool(`activate_${kind}_version`, { ...owner.of, version: 5 })).toMatchObject({
      hint: `reject_version ${JSON.stringify({ ...owner.of, version: 5, undo: true })} lifts it for version 5 and later ones, if a person wants that.`,
    });

    expect(await first.judge(5, { undo: true })).toBe(403);
    expect(await tool('reject_version', { ...owner.of, version: 5, undo: true })).toMatchObject({
      summary: ['version 5 and later ones are freed from the rejection of version 2'],
    });
    expect(await newest()).not.toHaveProperty('inheritedRejections');
    expect(await owner.activate(5)).toMatchObject({ status: 200 });
    refused((await owner.activate(4)) as never, 409, 'version_rejected');
    refused((await owner.activate(2)) as never, 409, 'version_rejected');
    const { body: history } = await project.call('GET', `/v1/projects/${project.projectId}/changes`);
    expect(JSON.stringify(history.changes)).toContain('freed from the rejection of version 2');

    // Who lifts has accepted the new words, and more new words, not the old ones.
    expect(await second.edit(5, 0, 'See you.', 'branch')).toBe(6);
    expect((await owner.activate(6)).status).toBe(200);
    expect(await second.edit(6, 1, 'Get lost.', 'branch')).toBe(7);
    refused((await owner.activate(7)) as never, 409, 'version_rejected');
    expect(await owner.judge(2, { undo: true })).toBe(200);
    expect((await owner.activate(7)).status).toBe(200);
    expect(await newest()).not.toHaveProperty('inheritedRejections');
  });

  test('is listed until a later version has gone live, also if that is corrected', async () => {
    const project = await openDesignProject(world);
    const owner = await subject(project, kind, ['Bye bye.', 'One moment.', 'Be kind.']);
    await owner.edit(1, 0, 'Get lost.', 'branch');
    await owner.judge(2, { reason });
    expect(await owner.edit(2, 0, 'Bye bye.', 'branch')).toBe(3);
    const listed = async () => {
      const route = `/v1/${kind}s/${owner.of[`${kind}Id`] as string}/versions?details=true`;
      return (await project.call('GET', route)).body.versions[0].inheritedRejections;
    };
    expect(await listed()).toMatchObject([{ version: 2, reason, places: [], blocks: false }]);
    expect((await owner.activate(3)).status).toBe(200);
    expect(await listed()).toBeUndefined();
  });

  test('applies to versions that exist already, and to one that was live', async () => {
    const project = await openDesignProject(world);
    const owner = await subject(project, kind, ['Bye bye.', 'One moment.', 'Be kind.']);
    await owner.edit(1, 0, 'Get lost.', 'branch');
    await owner.edit(2, 1, 'Hold the line.', 'branch');
    await owner.activate(2);
    expect(await owner.judge(2, { reason })).toBe(409);
    await owner.activate(1);
    expect(await owner.judge(2, { reason })).toBe(200);
    for (const version of [2, 3]) refused((await owner.activate(version)) as never, 409, 'version_rejected');
    expect((await owner.activate(1)).status).toBe(200);
  });

  test('of an earlier release applies to the versions after it', async () => {
    const project = await openDesignProject(world);
    const owner = await subject(project, kind, ['Bye bye.', 'One moment.', 'Be kind.']);
    await owner.edit(1, 0, 'Get lost.', 'branch');
    await owner.judge(2, { reason });
    await owner.edit(2, 1, 'Hold the line.', 'branch');
    await world.rows(
      `update ${kind}_versions set rejected_places = null, inherited_rejections = null where ${kind}_id = $1`,
      [owner.of[`${kind}Id`]],
    );
    refused((await owner.activate(3)) as never, 409, 'version_rejected');
  });

  test.each([
    ['a space at the end', 'Call +1 (202) 555-0155 now. '],
    ['another case', 'CALL +1 (202) 555-0155 NOW.'],
    ['white space of another kind', 'Call\u00a0+1 (202) 555-0155\u2003now.'],
    ['characters that are not displayed', 'C\u200ba\u00adll +1 (202) 555-0155 n\u2060ow.'],
    ['quotes and other punctuation', '“Call +1 (202) 555-0155, now!”'],
    ['letters of full width', 'Ｃａｌｌ +1 (202) 555-0155 now.'],
    ['another spelling of the number', 'Call 202.555.0155 now.'],
  ])('applies to a text that only differs by %s, wherever it stands', async (_, text) => {
    const project = await openDesignProject(world);
    const owner = await subject(project, kind, ['Bye bye.', 'One moment.', 'Be kind.']);
    await owner.edit(1, 0, 'Call +1 (202) 555-0155 now.', 'branch');
    expect(await owner.judge(2, { reason })).toBe(200);
    expect(await owner.edit(2, 0, text, 'branch')).toBe(3);
    expect(await owner.write(['Bye bye.', text, 'Be kind.'])).toBe(4);
    for (const version of [3, 4]) refused((await owner.activate(version)) as never, 409, 'version_rejected');
    // Another number is a correction that somebody accepts, and not what was rejected.
    const corrected = ['Call +1 (202) 555-0156 now.', 'One moment.', 'Be kind.'] as const;
    expect(await owner.write(corrected)).toBe(5);
    refused((await owner.activate(5)) as never, 409, 'version_rejected');
    expect(await owner.judge(5, { undo: true })).toBe(200);
    expect((await owner.activate(5)).status).toBe(200);
    expect(await owner.write(['Bye bye.', text, 'Be kind.'])).toBe(6);
    refused((await owner.activate(6)) as never, 409, 'version_rejected');
  });

  test('of a trivial change alone applies to exactly that, and not to the text that is live', async () => {
    const project = await openDesignProject(world);
    const owner = await subject(project, kind, ['Bye bye.', 'One moment.', 'Be kind.']);
    await owner.edit(1, 0, 'BYE BYE.', 'branch');
    await owner.judge(2, { reason });
    await owner.edit(2, 1, 'Hold the line.', 'branch');
    refused((await owner.activate(3)) as never, 409, 'version_rejected');
    await owner.edit(3, 0, 'Bye bye.', 'branch');
    expect((await owner.activate(4)).status).toBe(200);
  });

  test('of a version that changed more than a rejection keeps applies to all of it', async () => {
    const project = await openDesignProject(world);
    const owner = await subject(project, kind, ['Bye bye.', 'One moment.', 'Be kind.']);
    const id = owner.of[`${kind}Id`] as string;
    const crowded = (texts: Texts) => {
      const lines = Array.from({ length: 600 }, (_, index) => `Line number ${index}.`);
      const faq = lines.map((question) => ({ question, answer: question }));
      if (kind === 'flow') return { flowSchema: { faq, ...configurationOf(texts) } };
      const variables = lines.map((name, index) => ({ id: `v${index}`, type: 'text', name }));
      return { design: { variables, ...designOf(texts) } };
    };
    const versions = `/v1/${kind}s/${id}/versions`;
    created(await project.call('POST', versions, crowded(['Get lost.', 'One moment.', 'Be kind.'])));
    await owner.judge(2, { reason });
    expect(await owner.write(['Get lost.', 'One moment.', 'Be kind.'])).toBe(3);
    const { details } = refused((await owner.activate(3)) as never, 409, 'version_rejected') as Input;
    const place = kind === 'flow' ? '/closing' : '/steps/greeting/name';
    expect(details).toMatchObject({ version: 2, places: [place], placeCount: 1 });
    expect(await owner.write(['Get going.', 'One moment.', 'Be kind.'])).toBe(4);
    refused((await owner.activate(4)) as never, 409, 'version_rejected');
    expect(await owner.write(['Bye bye.', 'One moment.', 'Be kind.'])).toBe(5);
    expect((await owner.activate(5)).status).toBe(200);
  });

  test('is listed with the texts of it in other flows and conversations, which may hold them all the same', async () => {
    const project = await openDesignProject(world, { plan: 'enterprise' });
    const owner = await subject(project, kind, ['Bye bye.', 'One moment.', 'Be kind.']);
    await owner.edit(1, 0, 'Get lost.', 'branch');
    await owner.judge(2, { reason });
    const drafter = await keyOf(project, 'Anna', ['read', 'draft']);
    const client = await world.mcp('modern http', drafter);
    const texts: Texts = ['GET LOST', 'One moment.', 'Be kind.'];
    const [tool, content] =
      kind === 'flow'
        ? ['create_flow', { flowSchema: configurationOf(texts) }]
        : ['create_conversation', { design: designOf(texts) }];
    const copy = await answerOf(client, tool, { name: 'Copy', ...content });
    const place = kind === 'flow' ? '/closing' : '/steps/greeting/name';
    expect(JSON.stringify(copy['warnings'])).toContain(`was rejected by Key: ${reason}`);
    expect(copy['warnings']).toContainEqual(expect.objectContaining({ path: place }));

    const other = await at(project, kind, { [`${kind}Id`]: copy['id'] });
    const inherited = [
      { version: 2, reason, places: [place], blocks: false, of: { kind, id: owner.of[`${kind}Id`] } },
    ];
    const versionsOf = async () =>
      (await answerOf(client, `list_${kind}_versions`, other.of))['versions'] as Input[];
    expect(await versionsOf()).toMatchObject([{ isActive: true, inheritedRejections: inherited }]);
    const problems = async () =>
      (await project.call('GET', `/v1/projects/${project.projectId}/overview`)).body.problems.join();
    const named = 'v1 of Copy, which is live, holds what Key rejected in v2 of';
    expect(await problems()).toContain(named);

    // What callers hear already is not listed again, and what they hear anew is.
    expect(await other.edit(1, 1, 'Hold the line.', 'branch')).toBe(2);
    expect((await versionsOf())[0]).not.toHaveProperty('inheritedRejections');
    const third = await subject(project, kind, ['Bye bye.', 'One moment.', 'Be kind.']);
    expect(await third.edit(1, 1, 'Get lost!', 'branch')).toBe(2);
    const { body } = await project.call('GET', `/v1/projects/${project.projectId}/overview`);
    expect(body.drafts).toContainEqual(
      expect.objectContaining({
        id: third.of[`${kind}Id`],
        rejections: [expect.objectContaining({ blocks: false })],
      }),
    );
    expect((await third.activate(2)).status).toBe(200);

    await owner.judge(2, { undo: true });
    expect(await problems()).not.toContain('rejected');
  });

  test('holds through every sequence of edits, writes, merges, restorations, rejections and lifts', async () => {
    const project = await openDesignProject(world);
    const text = fc.constantFrom('One one.', 'Two two.', 'Three three.', 'Four four.');
    const texts = fc.tuple(text, text, text);
    const which = fc.nat({ max: 20 });
    const step = fc.oneof(
      fc.record({ do: fc.constant('write' as const), texts }),
      fc.record({
        do: fc.constant('edit' as const),
        which,
        place: fc.nat({ max: 2 }),
        text,
        onConflict: fc.constantFrom('merge' as const, 'branch' as const),
      }),
      fc.record({ do: fc.constantFrom('restore' as const, 'reject' as const, 'lift' as const), which }),
      fc.record({ do: fc.constant('activate' as const), which }),
    );
    await fc.assert(
      fc.asyncProperty(texts, fc.array(step, { minLength: 4, maxLength: 12 }), async (initial, steps) => {
        const owner = await subject(project, kind, initial);
        const versions = new Map<number, Texts>([[1, initial]]);
        /** What each standing rejection was compared with. */
        const rejected = new Map<number, Texts>();
        /** For which later versions each was lifted. */
        const lifts = new Map<number, number[]>();
        let live = 1;
        const textsOf = (version: number) => versions.get(version) ?? initial;
        const chosen = (which: number) => (which % versions.size) + 1;
        /** True if the rejection of a version applies to a later one. */
        const blocks = (number: number, version: number): boolean => {
          const before = rejected.get(number);
          if (!before || number >= version) return false;
          const held = heldPlaces(textsOf(version), textsOf(number), before);
          const lifted = Math.max(...(lifts.get(number) ?? []).filter((one) => one <= version));
          if (lifted === version) return false;
          if (lifted === -Infinity)
            return held.length > 0 || isReworded(textsOf(version), textsOf(number), before);
          const accepted = heldPlaces(textsOf(lifted), textsOf(number), before);
          return held.some((place) => !accepted.includes(place));
        };
        const stored = async (version: number | undefined) => {
          if (version !== undefined) versions.set(version, await owner.read(version));
        };
        for (const one of [...steps, ...activateAll]) {
          if (one.do === 'write') await stored(await owner.write(one.texts));
          else if (one.do === 'edit')
            await stored(await owner.edit(chosen(one.which), one.place, one.text, one.onConflict));
          else if (one.do === 'restore') await stored(await owner.restore(chosen(one.which)));
          else if (one.do === 'lift') {
            const version = chosen(one.which);
            await owner.judge(version, { undo: true });
            rejected.delete(version);
            for (const number of rejected.keys())
              if (blocks(number, version)) lifts.set(number, [...(lifts.get(number) ?? []), version]);
          } else if (one.do === 'reject') {
            const version = chosen(one.which);
            // A repetition changes nothing.
            if (rejected.has(version)) continue;
            expect(await owner.judge(version, {})).toBe(version === live ? 409 : 200);
            if (version === live) continue;
            rejected.set(version, textsOf(live));
            lifts.delete(version);
          } else {
            const version = chosen(one.which);
            const { status } = await owner.activate(version);
            const mayGoLive = ![...rejected.keys()].some(
              (number) => number === version || blocks(number, version),
            );
            expect(status, `version ${version} of ${JSON.stringify([...versions])}`).toBe(
              mayGoLive ? 200 : 409,
            );
            if (mayGoLive) live = version;
          }
        }
      }),
      { seed, numRuns: Math.min(runs, 12) },
    );
  }, 120_000);
});

/** At the end, every version is tried. */
const activateAll = Array.from({ length: 13 }, (_, which) => ({ do: 'activate' as const, which }));

/** The places of texts that a rejected version brought and this one has: at the same place, or at any if they were new. */
function heldPlaces(texts: Texts, rejected: Texts, before: Texts): number[] {
  return [0, 1, 2].filter((place) => {
    const text = rejected[place] ?? '';
    return (
      text !== before[place] && (texts[place] === text || (!before.includes(text) && texts.includes(text)))
    );
  });
}

/** True if a version replaces words that a rejected one brought by other new ones. */
function isReworded(texts: Texts, rejected: Texts, before: Texts): boolean {
  return texts.some((text, place) => rejected[place] !== before[place] && text !== before[place]);
}

/** The same subject with another key. */
async function at(project: DesignProject, kind: Kind, of: Input): Promise<Subject> {
  const id = of[`${kind}Id`];
  const made: DesignProject = {
    ...project,
    newConversation: async () => id as string,
    call: async (method, route, body) =>
      method === 'POST' && route.endsWith('/flows')
        ? ({ status: 201, body: { id } } as never)
        : project.call(method, route, body),
  };
  return subject(made, kind, ['', '', '']);
}

async function keyOf(project: DesignProject, name: string, access: readonly string[]): Promise<string> {
  const route = `/v1/projects/${project.projectId}/restricted-keys`;
  return created(await project.call('POST', route, { name, access })).key;
}

async function answerOf(client: McpClient, name: string, input: Input): Promise<Input> {
  const { content } = await client.callTool({ name, arguments: input });
  return JSON.parse(content[0]?.text ?? '') as Input;
}
