import { afterAll, beforeAll, expect, test } from 'vitest';
import { idsAt } from '../../src/operation/reference.ts';
import { newId } from '../../src/platform/id.ts';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';
import { arrangeIn } from './arrange.ts';
import { digestOf, idsOf } from './digest.ts';
import { type Door, type DoorName, doorNames, openDoors, refusal, success, wordsOf } from './doors.ts';
import { exampleInputs, inputsOnce, inputsWithIds } from './examples.ts';
import { idAt, idPlacesOf, type Place, placesOf, withIdAt } from './references.ts';
import { tools } from './registry.ts';
import { onlyRequired } from './wrong-input.ts';

let world: World;
let own: Tenant;
/** Another project of the same organization, and one of another organization. */
let others: Tenant[];
let doors: Door[];

beforeAll(async () => {
  world = await openWorld();
  own = await world.tenant({ plan: 'enterprise' });
  const { organizationId } = own;
  others = [
    await world.tenant({ plan: 'enterprise', organizationId }),
    await world.tenant({ plan: 'enterprise' }),
  ];
  doors = await openDoors(world, own.key);
});
afterAll(() => world.close());

const inputAt = inputsWithIds(() => arrangeIn(world, own));
const inputsOfOthers = [0, 1].map((other) => inputsOnce(() => arrangeIn(world, others[other] as Tenant)));
const inputsOfOthersAt = [0, 1].map((other) =>
  inputsWithIds(() => arrangeIn(world, others[other] as Tenant)),
);

const places = placesOf(tools);
const triedAt = new Map<string, { times: number; atDoors: number }>();
const idsTried = ['of the same organization', 'of another organization', 'of nothing', 'of another kind'];

test.each(places)('$name: an id of another project returns 404', async (place) => {
  const { tool, reference } = place;
  const input = await inputAt(place);
  const foreign = await Promise.all(
    inputsOfOthersAt.map(async (inputOfOther) => idAt(await inputOfOther(place), place)),
  );
  const wrongKind = reference.name === 'project' ? own.keyId : own.projectId;
  const missingId = newId(reference.name);
  const before = await othersDigest();
  const doorsHere = doorsWith(place);

  const wordsAt = new Map<DoorName, unknown>();
  for (const door of doorsHere) {
    const said = [];
    for (const id of [...foreign, missingId, wrongKind]) {
      const { hint, ...outcome } = await door.call(tool, withIdAt(input, reference.path, id));
      const words = wordsOf(refusal(outcome, 'not_found'));
      said.push(JSON.parse(JSON.stringify({ words, hint }).replaceAll(id, 'ID')));
      const { times } = triedAt.get(place.name) ?? { times: 0 };
      triedAt.set(place.name, { times: times + 1, atDoors: doorsHere.length });
    }
    const [sibling, stranger, missing, ofAnotherKind] = said;
    expect(sibling, door.name).toEqual(missing);
    expect(stranger, door.name).toEqual(missing);
    expect(ofAnotherKind.words, door.name).toEqual(missing.words);
    wordsAt.set(door.name, missing.words);
    // An option may check the project although the read itself does not, so this tries the read without options.
    const least = tool.effect.readOnly ? onlyRequired(tool, input) : input;
    if (Object.keys(least).length < Object.keys(input).length && idsAt(least, reference.path).length > 0)
      for (const id of foreign)
        refusal(await door.call(tool, withIdAt(least, reference.path, id)), 'not_found');
  }
  const [atFirst] = wordsAt.values();
  for (const [name, words] of wordsAt) expect(words, name).toEqual(atFirst);
  // An id may be of any length. A voice of an upstream may have any name.
  const longId = missingId + 'a'.repeat(5_000);
  if (!reference.isBuiltIn(longId))
    for (const door of doorsHere.slice(0, 2)) {
      const outcome = await door.call(tool, withIdAt(input, reference.path, longId));
      expect(refusal(outcome, 'not_found').message.length).toBeLessThan(200);
    }
  expect(await othersDigest(), 'a row of another project has changed').toEqual(before);
});

test.each(tools)(
  '$name: ids of the own project work, and the response holds no id of another',
  async (tool) => {
    for (const inputOfOther of inputsOfOthers) await inputOfOther(tool);
    const answers: unknown[] = [];
    for (const { door, input } of await exampleInputs(tool, doors, arrangeIn(world, own))) {
      answers.push(success(await door.call(tool, input)));
      if (tool.effect.readOnly) answers.push(success(await door.call(tool, onlyRequired(tool, input))));
    }
    const text = JSON.stringify(answers);
    for (const { projectId } of others) {
      const foreign = [...(await idsOf(world, projectId))].filter((id) => id !== own.organizationId);
      expect(foreign).toContain(projectId);
      expect(foreign.filter((id) => text.includes(id))).toEqual([]);
    }
  },
);

test('every input that takes an id names its kind of record', () => {
  const unmarked = tools.flatMap((tool) => {
    const marked = tool.references.map(({ path }) => path.join('.'));
    return idPlacesOf(tool)
      .filter((place) => !marked.includes(place))
      .map((place) => `${tool.name} ${place} takes an id without ref()`);
  });
  expect(unmarked).toEqual([]);
});

test('every id of every input was tried on every transport', () => {
  const declared = tools.flatMap((tool) => idPlacesOf(tool).map((place) => `${tool.name} ${place}`));
  // If an input also takes a name, as for a voice, its schema does not show that it takes an id.
  expect([...triedAt.keys()]).toEqual(expect.arrayContaining(declared));
  for (const { times, atDoors } of triedAt.values()) expect(times).toBe(atDoors * idsTried.length);
  const everywhere = [...triedAt.values()].filter(({ atDoors }) => atDoors === doorNames.length);
  expect(everywhere.length).toBeGreaterThan(100);
});

/** The doors whose input has this place: REST lacks the inputs that only MCP has. */
function doorsWith({ tool, reference }: Place): Door[] {
  const [input = ''] = reference.path;
  return tool.rest.omitsInputs.includes(input) ? doors.filter(({ name }) => name !== 'REST') : doors;
}

function othersDigest(): Promise<unknown[]> {
  return Promise.all(others.map(({ projectId }) => digestOf(world, projectId)));
}
