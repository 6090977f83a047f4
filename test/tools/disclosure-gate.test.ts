import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Design } from '../../src/design/schema/design.ts';
import { templates } from '../../src/resources/catalogue/templates/index.ts';
import {
  anyDesign,
  datedMoments,
  firstPlace,
  isDisclosing,
  momentsApart,
  needsDisclosure,
  waysOn,
} from '../design/random-designs.ts';
import { disclosing, undisclosing } from '../designs/disclosed.ts';
import {
  created,
  type DesignProject,
  newIntegration,
  openDesignProject,
  refused,
} from '../helpers/design-project.ts';
import { seed } from '../helpers/runs.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: DesignProject;
let crm: string;
let diary: string;
beforeAll(async () => {
  world = await openWorld();
  project = await openDesignProject(world, { plan: 'enterprise' });
  crm = await newIntegration(world, project);
  diary = await newIntegration(world, project, 'calendar');
});
afterAll(() => world.close());

/** How calls through a design meet the disclosure. Follows every call, and shares nothing with the proof. */
function disclosureOf(design: Design): 'always' | 'sometimes' | 'never' | 'not needed' {
  let [isNeeded, isBroken, discloses] = [false, false, false];
  for (const moment of momentsApart(design)) {
    const seen = new Set<string>();
    const visit = (place: string, isDisclosed: boolean): void => {
      const now = isDisclosed || isDisclosing(design, place);
      if (place === 'over' || seen.has(`${place} ${now}`)) return;
      seen.add(`${place} ${now}`);
      discloses ||= now;
      isNeeded ||= needsDisclosure(design, place);
      isBroken ||= needsDisclosure(design, place) && !now;
      for (const [, to] of waysOn(design, place, moment)) visit(to, now);
    };
    visit(firstPlace(design), false);
  }
  if (!isNeeded) return 'not needed';
  if (!isBroken) return 'always';
  return discloses ? 'sometimes' : 'never';
}

/** Random designs of one kind that can be stored, with the records that they name. */
function designsOf(kind: ReturnType<typeof disclosureOf>, count: number): Design[] {
  const frame: Partial<Design> = {
    variables: [
      { id: 'x', type: 'text' },
      { id: 'y', type: 'text' },
    ],
    integrations: [
      { id: 'crm', kind: 'crm', integrationId: crm },
      { id: 'diary', kind: 'calendar', integrationId: diary },
    ],
  };
  return fc
    .sample(
      anyDesign.filter((design) => disclosureOf(design) === kind && !hasHookCycle(design)),
      { numRuns: count, seed },
    )
    .map((design) => ({ ...design, ...frame }));
}

/** True if a hook cannot end, which prevents even a draft. */
function hasHookCycle(design: Design): boolean {
  return (['before', 'after'] as const).some((at) =>
    Object.values(design.hooks?.[at]?.nodes ?? {}).some(({ id }) => {
      const seen = new Set([`${at} ${id}`]);
      for (const place of seen)
        for (const [, to] of datedMoments.flatMap((moment) => waysOn(design, place, moment)))
          if (to.startsWith(at)) seen.add(to);
          else return false;
      return true;
    }),
  );
}

const activeVersion = async (id: string) =>
  (await project.call('GET', `/v1/conversations/${id}`)).body.activeVersion;

/** Stores a design as the newest version, in one of the three ways that there are. Returns its number. */
async function store(way: number, id: string, design: Design): Promise<number> {
  const patch = [{ op: 'replace', path: '', value: design }];
  const edit = { patch, onConflict: 'branch' };
  if (way === 1)
    return created(await project.call('PATCH', `/v1/conversations/${id}/versions/1/design`, edit)).version;
  const { version: n } = created(await project.write(id, design));
  if (way === 0) return n;
  const route = `/v1/conversations/${id}/versions/${n}/restore`;
  return created(await project.call('POST', route, {})).conversation.version;
}

test('none of 300 random designs that disclose the AI on some paths only ever becomes active', async () => {
  const id = await project.newConversation();
  for (const [index, design] of designsOf('sometimes', 300).entries()) {
    const n = await store(index % 3, id, design);
    const error = refused(await project.activate(id, n), 422, 'design_invalid');
    const [{ stepId, message }] = error.details.issues;
    expect(message).toContain(`"${stepId}"`);
    expect(message).toMatch(/before it has disclosed the AI\. The shortest such call: "/);
    if (index % 10 > 0) continue;
    refused(await project.create({ design }), 422, 'design_invalid');
    const [first] = (await project.problems(id, design)).filter(({ message: text }) =>
      text.includes('disclosed'),
    );
    expect(first).toMatchObject({ severity: 'warning', stepId });
  }
  expect(await activeVersion(id)).toBe(1);
});

test.each(['always', 'not needed'] as const)('random designs become active: disclosure %s', async (kind) => {
  const id = await project.newConversation();
  for (const design of designsOf(kind, 30)) {
    const { version: n } = created(await project.write(id, design));
    expect((await project.activate(id, n)).status).toBe(200);
    expect(await activeVersion(id)).toBe(n);
    created(await project.create({ design }));
  }
});

test.each(templates)(
  'a conversation from the template $key discloses the AI first',
  async ({ key, fields }) => {
    const templateFields = Object.fromEntries(fields.map((field) => [field.key, field.sample]));
    for (const choice of [{ templateFields }, { templateSamples: true }]) {
      const { id, activeVersion: live } = created(await project.create({ templateKey: key, ...choice }));
      const proof = await project.call('POST', `/v1/conversations/${id}/designs/prove`, {
        version: live,
        properties: [{ property: 'disclosedFirst' }],
      });
      expect(proof.body).toMatchObject({ holds: true, versions: [{ version: 1 }] });
    }
  },
);

describe('a version whose entry skips the greeting', () => {
  const design = {
    schemaVersion: 'cd/1',
    entry: { stepId: 'menu' },
    variables: [{ id: 'name', type: 'text' }],
    steps: {
      greeting: { kind: 'greeting', introLine: disclosing, on: { next: 'menu' } },
      menu: {
        kind: 'route',
        options: [
          { id: 'book', title: 'Book', description: 'Wants to book.', target: 'ask' },
          { id: 'hello', title: 'Hello', description: 'Says hello.', target: 'greeting' },
        ],
        on: { fallback: 'bye' },
      },
      ask: {
        kind: 'collect',
        prompt: 'Your name?',
        collect: [{ id: 'name', variableId: 'name' }],
        on: { next: 'bye' },
      },
      bye: { kind: 'end' },
    },
  };

  test('is refused with the step and the shortest call', async () => {
    const id = await project.newConversation();
    created(await project.write(id, design));
    const { details, message } = refused(await project.activate(id, 2), 422, 'design_invalid');
    const text =
      '/steps/ask: A call can reach step "ask", which collects, before it has disclosed the AI. The shortest such call: "menu" ("book"), "ask".';
    expect(details).toStrictEqual({ issues: [{ stepId: 'ask', message: text }] });
    expect(message).toBe(text);
    expect(await activeVersion(id)).toBe(1);
  });

  test('is reported by validation in the same words', async () => {
    const id = await project.newConversation();
    const { body } = await project.validate(id, design);
    expect(body.valid).toBe(true);
    expect(body.problems).toMatchObject([{ path: '/steps/ask' }]);
    expect(body.problems[0].message).toMatch(/^A call can reach step "ask".*"menu" \("book"\), "ask"\.$/);
  });

  test('cannot become active with a verdict of its own making', async () => {
    const silent = {
      ...design,
      entry: { stepId: 'greeting' },
      steps: { ...design.steps, greeting: { ...design.steps.greeting, introLine: undisclosing } },
    };
    const id = await project.newConversation();
    // An import can bring a line that was never ruled on.
    await project.store(id, 1, silent);
    const verdict = { status: 'approved', checkedText: undisclosing };
    const claimed = { ...silent, compliance: { aiDisclosure: { greeting: verdict } } };
    created(await project.write(id, claimed));
    refused(await project.activate(id, 2), 422, 'design_invalid');
    refused(await project.activate(id, 1), 422, 'design_invalid');
  });
});
