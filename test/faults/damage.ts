import fc from 'fast-check';
import { isJsonObject } from '../../src/operation/json.ts';
import type { JsonObject } from '../../src/operation/result.ts';
import { type Mutation, mutated, mutation } from '../property/mutation.ts';
import { mapsIn, memberOf, nodesOf, objectsIn, type Reference, referencesIn } from './design-places.ts';

/** A damage of a design. `at` and `other` choose among the places where it applies. */
export interface Damage {
  readonly kind: DamageKind;
  readonly at: number;
  readonly other: number;
  readonly name: string;
  /** Applies at every place instead of one. */
  readonly everywhere: boolean;
  readonly mutation: Mutation;
}

/** A record of another project for each kind that a design names. */
export type ForeignIds = readonly string[];

/** The copy of a design that a damage changes. */
interface Work {
  readonly design: JsonObject;
  readonly damage: Damage;
  readonly foreign: ForeignIds;
  readonly references: readonly Reference[];
  readonly objects: readonly JsonObject[];
}

const recordNames = /^(?:knowledgeBaseId|integrationId|value)$/;

const nowhere = ['nowhere', 'constructor', '__proto__', 'toString', '', 'END', ' '];
const keys = [
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  '__proto__',
  '',
  '1',
  'kind',
  'a/b~c',
];
const stepKinds = [
  'greeting',
  'route',
  'collect',
  'end',
  'transfer',
  'sendEmail',
  'Greeting',
  '',
  '__proto__',
];

/** Stands in a text where JSON.stringify cannot put it; `written` puts it there. */
const again = '@again@';
const huge = '@huge@';
const abyss = '@abyss@';
const depth = 20_000;

const damages = {
  mutate: ({ design, damage }) => mutated(design, damage.mutation),
  rename: ({ objects, damage: { at, other, name, everywhere } }) => {
    for (const object of everywhere ? objects : [chosen(objects, at)]) {
      const old = object && chosen(Object.keys(object), other);
      if (object && old !== undefined) rename(object, old, everywhere ? `${old}${name}` : name);
    }
  },
  doubleMember: ({
    objects,
    damage: {
      at,
      other,
      mutation: { value },
    },
  }) => {
    const object = chosen(objects, at);
    const key = object && chosen(Object.keys(object), other);
    if (object && key !== undefined) object[`${key}${again}`] = value;
  },
  doubleItem: ({ objects, damage: { at, everywhere } }) => {
    const lists = objects.flatMap((object) => Object.values(object)).filter(isFilled);
    for (const list of everywhere ? lists : [chosen(lists, at)]) list?.push(structuredClone(list[0]));
  },
  doubleEntry: ({ design, damage: { at, other, name } }) => {
    const map = chosen(mapsIn(design), at);
    const key = map && chosen(Object.keys(map), other);
    if (map && key !== undefined) setOwn(map, name, structuredClone(map[key]));
  },
  idOfPrototype: ({ design, damage: { at, other } }) => {
    const map = chosen(mapsIn(design), at);
    const key = chosen(keys, other) ?? '';
    if (map) setOwn(map, key, structuredClone(Object.values(map)[0] ?? {}));
  },
  exchangeIds: ({ references, damage: { at, other, everywhere } }) => {
    for (const [index, one] of references.entries()) {
      if (!everywhere && index !== at % references.length) continue;
      const two = chosen(references, other + index * 7);
      if (two) [one.holder[one.key], two.holder[two.key]] = [two.holder[two.key], one.holder[one.key]];
    }
  },
  exchangeKeys: ({ design, damage: { at, other } }) => {
    const maps = mapsIn(design);
    const [one, two] = [chosen(maps, at), chosen(maps, other)];
    const key = two && chosen(Object.keys(two), at);
    const old = one && chosen(Object.keys(one), other);
    if (one && old !== undefined && key !== undefined) rename(one, old, key);
  },
  breakReference: ({ references, damage: { at, other, everywhere } }) => {
    for (const reference of everywhere ? references : [chosen(references, at)])
      if (reference) reference.holder[reference.key] = chosen(nowhere, other);
  },
  foreignId: ({ references, objects, foreign, damage: { at, other, everywhere } }) => {
    const named = objects.flatMap((holder) =>
      Object.keys(holder)
        .filter((key) => recordNames.test(key) && typeof holder[key] === 'string')
        .map((key) => ({ holder, key })),
    );
    const places = named.length > 0 ? named : references;
    for (const place of everywhere ? places : [chosen(places, at)])
      if (place) place.holder[place.key] = chosen(foreign, other);
  },
  loopOfNodes: ({ objects, design, damage: { other } }) => {
    const nodes = nodesOf(design).flatMap((map) => Object.keys(map));
    for (const object of objects)
      for (const key of ['next', 'else', 'onNotFound'])
        if (isJsonObject(object[key])) object[key] = { hookNode: chosen(nodes, other) };
  },
  loopOfSteps: ({ design, damage: { at, everywhere } }) => {
    const steps = Object.entries(memberOf(design, 'steps'));
    for (const [stepId, step] of everywhere ? steps : [chosen(steps, at) ?? []])
      if (stepId !== undefined && isJsonObject(step)) step['on'] = { next: stepId };
  },
  targets: ({ objects, damage: { at, everywhere } }) => {
    const targets = objects.filter((one) => 'hookNode' in one || 'end' in one || 'step' in one);
    for (const target of everywhere ? targets : [chosen(targets, at)])
      if (target) Object.assign(target, { end: true, step: 'nowhere' });
  },
  options: ({ objects, damage: { at, other, everywhere } }) => {
    const options = objects.filter((one) => 'title' in one || 'target' in one);
    const member = chosen(['title', 'description', 'target'], other) ?? '';
    for (const option of everywhere ? options : [chosen(options, at)]) if (option) delete option[member];
  },
  stepKind: ({ design, damage: { at, other, everywhere } }) => {
    const steps = Object.values(memberOf(design, 'steps')).filter(isJsonObject);
    for (const step of everywhere ? steps : [chosen(steps, at)])
      if (step) step['kind'] = chosen(stepKinds, other);
  },
  layout: ({
    design,
    damage: {
      name,
      mutation: { value },
    },
  }) => {
    const layout = isJsonObject(design['layout']) ? design['layout'] : {};
    design['layout'] = layout;
    setOwn(layout, name, value === null ? { x: 1, y: 2 } : value);
  },
  integrationKind: ({ design, damage: { at, other } }) => {
    const entries = Array.isArray(design['integrations']) ? design['integrations'].filter(isJsonObject) : [];
    const entry = chosen(entries, at);
    if (entry) entry['kind'] = chosen(['crm', 'calendar', 'knowledge', 'erp'], other);
  },
  line: ({ objects, damage: { everywhere } }) => {
    const lines = objects.filter(({ kind }) => kind === 'greeting' || kind === 'recordingConsent');
    for (const step of everywhere ? lines : lines.slice(0, 1))
      step[step['kind'] === 'greeting' ? 'introLine' : 'line'] = 'Hello, this is Anna. How can I help?';
  },
  moreSteps: ({ design, damage: { at } }) => {
    for (let index = 0; index <= at % 300; index++)
      setOwn(memberOf(design, 'steps'), `more-${index}`, { kind: 'end' });
  },
  schemaVersion: ({
    design,
    damage: {
      other,
      mutation: { value },
    },
  }) => {
    design['schemaVersion'] = chosen(['cd/2', 'CD/1', 'cd/1 ', '', 1, value], other);
  },
  abyss: ({ objects, damage: { at, other } }) => {
    const object = chosen(objects, at);
    if (object) object[chosen(Object.keys(object), other) ?? 'x'] = abyss;
  },
  cut: () => undefined,
  nothing: () => undefined,
} satisfies Record<string, (work: Work) => unknown>;

export type DamageKind = keyof typeof damages;

/** The weight of each damage; 1 by default. */
const weights: Partial<Record<DamageKind, number>> = {
  mutate: 14,
  nothing: 4,
  rename: 3,
  exchangeIds: 3,
  breakReference: 4,
  stepKind: 2,
};

const seldom = fc.nat(5).map((number) => number === 0);

export const damage: fc.Arbitrary<Damage> = fc.noBias(
  fc.record({
    kind: fc.oneof(
      ...(Object.keys(damages) as DamageKind[]).map((kind) => ({
        weight: weights[kind] ?? 1,
        arbitrary: fc.constant(kind),
      })),
    ),
    at: fc.nat(1_000_000),
    other: fc.nat(1_000_000),
    name: fc.oneof(fc.constantFrom(...keys, ...stepKinds), fc.string({ maxLength: 8 })),
    everywhere: seldom,
    mutation,
  }),
);

/** Returns the JSON text of a design after all damages, in order. A cut design is not valid JSON. */
export function damaged(design: object, all: readonly Damage[], foreign: ForeignIds): string {
  let damagedSoFar = design;
  for (const one of all) {
    // The values that are put in belong to the next damage too, which must not change them.
    const copy = structuredClone(damagedSoFar) as JsonObject;
    const work = {
      design: copy,
      damage: one,
      foreign,
      objects: objectsIn(copy),
      references: referencesIn(copy),
    };
    const made: unknown = damages[one.kind](work);
    damagedSoFar = isJsonObject(made) ? made : copy;
  }
  const text = written(damagedSoFar);
  const cut = all.find(({ kind }) => kind === 'cut');
  return cut ? text.slice(0, cut.at % text.length) : text;
}

/** Returns JSON with parts that JSON.stringify cannot write: huge numbers, duplicate members, deep nesting. */
function written(design: object): string {
  const text = JSON.stringify(design, (_, value: unknown) =>
    value === Infinity || value === -Infinity ? huge : value,
  );
  return text
    .replaceAll(again, '')
    .replaceAll(`"${huge}"`, '1e400')
    .replace(`"${abyss}"`, '['.repeat(depth) + ']'.repeat(depth));
}

function chosen<Item>(items: readonly Item[], at: number): Item | undefined {
  return items[at % Math.max(items.length, 1)];
}

function isFilled(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length > 0;
}

/** An own member even of `__proto__`. */
function setOwn(object: JsonObject, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

function rename(object: JsonObject, old: string, name: string): void {
  const value = object[old];
  delete object[old];
  setOwn(object, name, value);
}
