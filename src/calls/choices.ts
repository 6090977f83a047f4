import { canBeTaken } from '../design/calendars.ts';
import { nodesOf, stepOf } from '../design/exits.ts';
import { usualMoment } from '../design/moments.ts';
import type { CalendarUse } from '../design/schema/calendar.ts';
import type { Design, HookNode } from '../design/schema/design.ts';
import { plainName, systemVariableNames, systemVariables } from '../design/system-variables.ts';
import { isList, isObject } from '../design/value.ts';
import type { CallState, Effect, Understood } from './call-state.ts';
import type { Json } from './json-value.ts';
import { momentsToldApart, momentValues, momentVariable, unusualMoment } from './moments.ts';
import { readByRule } from './reader.ts';
import { responseSegments } from './requests.ts';
import type { Mock } from './simulate.ts';
import type { CalendarEffect, ScriptedCalendar } from './simulated-calendar.ts';

/** An answer of the caller, or a result from outside, with which a waiting call can go on. `says` describes it for a scenario's name. */
export type Choice = { readonly says?: string | undefined } & (
  | { readonly does: 'speak' }
  | { readonly does: 'hangUp' }
  | { readonly does: 'read'; readonly understood: Understood; readonly text: string }
  | { readonly does: 'respond'; readonly node: string; readonly mock: Mock }
  | { readonly does: 'find'; readonly node: string; readonly contact: Readonly<Record<string, Json>> | null }
  /** `again`: the call has tried to take a time before, in the calendar of this id. */
  | {
      readonly does: 'schedule';
      readonly node: string;
      readonly mock: ScriptedCalendar;
      readonly again?: true;
    }
  | { readonly does: 'transfer'; readonly step: string; readonly succeeds: boolean }
  /** Nothing to choose: a message is sent, or nothing is found. */
  | { readonly does: 'finish'; readonly result: Json }
);

/** How a call starts. */
export interface Start {
  readonly channel: string;
  readonly system: Readonly<Record<string, Json>>;
  readonly variables: Readonly<Record<string, Json>>;
  readonly says: string | undefined;
}

/** Values that conditions tell apart, by the name of the variable. */
export type Domains = ReadonlyMap<string, readonly string[]>;

/** Combinations of values that one choice offers; more are tried one variable at a time. */
const mostCombinations = 512;
/** Values in all of them together. */
const mostValues = 20_000;
const titleLength = 40;

/** Where calls can start: on each channel, and with each value of what nothing in the call sets. */
export function startsOf(design: Design, domains: Domains): { starts: Start[]; isComplete: boolean } {
  const { entryPoints = {} } = design.hooks?.before ?? {};
  const known = systemVariables.flatMap(({ name, available, example }) =>
    available === 'from the start' && name !== 'channel' ? [[name, example] as const] : [],
  );
  const numbers = new Set<string>(['callerPhone', 'calledNumber']);
  const channels = [...new Set(['phone', ...Object.keys(entryPoints), ...(domains.get('channel') ?? [])])];
  // The engine sets where the call ended.
  const names = [...domains.keys()].filter((name) => name !== 'channel' && name !== 'endedAtStep');
  const { moments, isComplete: hasAllMoments } = momentsToldApart(design);
  const { combinations, isComplete } = combined([
    channels,
    [...moments.keys()].map(String),
    ...names.map((name) => [undefined, ...valuesOf(name, domains, isSystem(name))]),
  ]);
  const starts = combinations.map(([channel = 'phone', momentIndex, ...values]) => {
    const moment = moments[Number(momentIndex)] ?? usualMoment;
    const unusual = unusualMoment(moment);
    const given = names.flatMap((name, index) => {
      const value = values[index];
      return value === undefined ? [] : [[name, value] as const];
    });
    const says = [
      ...(channel === 'phone' ? [] : [`by ${channel}`]),
      ...(unusual === '' ? [] : [unusual]),
      ...given.map(([name, value]) =>
        value === '' ? `without ${name}` : `with ${name} ${shortened(value)}`,
      ),
    ];
    return {
      channel,
      system: Object.fromEntries([
        ...known.filter(([name]) => channel === 'phone' || !numbers.has(name)),
        ...Object.entries(momentValues(moment)),
        ...given.flatMap(([name, value]) => (isSystem(name) ? [[plainName(name), value] as const] : [])),
      ]),
      variables: Object.fromEntries(given.filter(([name]) => !isSystem(name))),
      says: says.length === 0 ? undefined : says.join(', '),
    };
  });
  return { starts, isComplete: isComplete && hasAllMoments };
}

function isSystem(name: string): boolean {
  return systemVariableNames.includes(plainName(name));
}

/** The values of a variable that conditions tell apart. An empty value is the same as none, unless something sets it. */
function valuesOf(name: string, domains: Domains, canBeEmpty: boolean): readonly string[] {
  return (domains.get(name) ?? []).filter((value) => canBeEmpty || value !== '');
}

/** What can happen where a call listens. */
export function turnsOf({ hooks }: Design, { ended }: CallState): Choice[] {
  const isHeard = hooks?.after?.prematureHangupNodeId !== undefined && !ended;
  return [{ does: 'speak' }, ...(isHeard ? [{ does: 'hangUp', says: 'hangs up' } as const] : [])];
}

/** What can come of an effect that a call waits for. */
export function resultsOf(
  design: Design,
  { position, progress }: CallState,
  effect: Extract<Effect, { id: string }>,
  domains: Domains,
): { choices: Choice[]; isComplete: boolean } {
  const all = (choices: Choice[]) => ({ choices, isComplete: true });
  switch (effect.kind) {
    case 'understand':
      return withCommands(
        effect,
        readingsOf(design, effect, { domains, isEntering: progress.stage === 'entering' }),
      );
    case 'search':
      return all([{ does: 'finish', result: [] }]);
    case 'sms':
    case 'crmWrite':
      return all([sentBy(design, effect.node)]);
    case 'transfer': {
      const step = position?.id ?? '';
      return all([
        { does: 'transfer', step, succeeds: true, says: 'is transferred' },
        { does: 'transfer', step, succeeds: false, says: 'the transfer fails' },
      ]);
    }
    case 'request':
      return responsesOf(design, effect.node, domains);
    case 'crmLookup':
      return contactsOf(design, effect.node, domains);
    case 'calendar':
      return calendarChoices(design, effect, domains);
  }
}

/** What a calendar can return. Whether it fails only matters if a condition reads the outcome. */
function calendarChoices(
  design: Design,
  { node, action }: CalendarEffect,
  domains: Domains,
): { choices: Choice[]; isComplete: boolean } {
  const uses = usesOfCalendar(design, node);
  const reads = (members: readonly (string | undefined)[]) =>
    members.some((name) => name !== undefined && domains.has(name));
  const choice = (mock: ScriptedCalendar, says?: string): Choice => ({ does: 'schedule', node, mock, says });
  // A mock serves every use of its id.
  const takes = uses.some(canBeTaken);
  return {
    choices: [
      choice('free'),
      ...(takes ? [choice('taken', 'the time is taken')] : []),
      choice('none', action === 'cancel' ? 'there is no appointment' : 'nothing is free'),
      ...(reads(uses.map(({ outcomeVariableId }) => outcomeVariableId))
        ? [choice('fail', 'the calendar fails')]
        : []),
    ],
    // The search tells no times apart.
    isComplete: !reads(
      uses.flatMap((use) => [
        use.offeredVariableId,
        use.startVariableId,
        use.bookingVariableId,
        use.daySource?.variableId,
        use.timeSource?.variableId,
      ]),
    ),
  };
}

/** The uses that a mock of this id serves: a step and a node may have the same one. */
function usesOfCalendar(design: Design, id: string): CalendarUse[] {
  const step = stepOf(design, id);
  return [
    ...(step?.kind === 'appointment' ? [step.calendar] : []),
    ...nodesCalled(design, id).flatMap(({ calendar }) => calendar ?? []),
  ];
}

/** A message is always sent. A node that also requests something has one mock for both. */
function sentBy(design: Design, node: string): Choice {
  const requests = nodesCalled(design, node).some(({ fetch, webhook }) => fetch ?? webhook);
  return requests
    ? { does: 'finish', result: null }
    : { does: 'respond', node, mock: { status: 200, body: '' } };
}

/** A caller may ask for something in place of an answer. */
function withCommands(
  { commands = [] }: Extract<Effect, { kind: 'understand' }>,
  { choices, isComplete }: { choices: Choice[]; isComplete: boolean },
): { choices: Choice[]; isComplete: boolean } {
  const asked = commands.map(
    ({ id }): Choice => ({
      does: 'read',
      understood: { command: id, values: {} },
      text: sayings[id] ?? `I have a wish: ${id}.`,
      says: `asks for ${shortened(id)}`,
    }),
  );
  return { choices: [...choices, ...asked], isComplete };
}

/** What a caller says for each known command. */
const sayings: Readonly<Partial<Record<string, string>>> = {
  person: 'May I speak to a person?',
  stop: 'Stop, please. Goodbye.',
  repeat: 'Could you repeat that?',
  human: 'Are you a human?',
  swearing: 'Damn it.',
  emergency: 'This is an emergency.',
};

function readingsOf(
  design: Design,
  effect: Extract<Effect, { kind: 'understand' }>,
  { domains, isEntering }: { readonly domains: Domains; readonly isEntering: boolean },
): { choices: Choice[]; isComplete: boolean } {
  const all = (choices: Choice[]) => ({ choices, isComplete: true });
  const read = (understood: Understood, text: string, says?: string): Choice => ({
    does: 'read',
    understood,
    text,
    says,
  });
  switch (effect.reads) {
    case 'consent':
      return all([
        read({ consent: true }, 'Yes.'),
        read({ consent: false }, 'No.', 'declines the recording'),
      ]);
    case 'route':
      return all([
        ...effect.options.map(({ id, title }) => {
          const name = shortened(title);
          return read({ option: id }, `${name}, please.`, `asks for ${name}`);
        }),
        read({ option: null }, 'Something else.', 'asks for something else'),
      ]);
    case 'answer':
      return all([
        read({ answered: true, text: 'Yes.' }, 'I have a question.'),
        read({ answered: false }, 'I have a question that nobody can answer.', 'asks what has no answer'),
      ]);
    case 'message':
    case 'values':
      return all([read(readByRule(effect), '')]);
    case 'confirm':
      return all([
        read({ consent: true }, 'Yes.'),
        read({ consent: false }, 'No.', 'rejects what was read back'),
      ]);
    case 'collect': {
      // A step that looks into what was said before it finds nothing there.
      if (isEntering) return all([read({ values: {} }, '')]);
      const step = stepOf(design, effect.step);
      const asked = step?.kind === 'collect' ? step.collect : [];
      const items = asked.map(({ variableId, description = variableId }) => ({
        variableId,
        values: valuesFor(variableId, description, domains),
      }));
      const { combinations, isComplete } = combined(items.map(({ values }) => values));
      const given = combinations.map((values) => {
        const notable = items.flatMap(({ variableId, values: known }, index) =>
          known.length > 1 && values[index] !== known[0]
            ? [`gives ${variableId} ${shortened(values[index] ?? '')}`]
            : [],
        );
        return read(
          {
            values: Object.fromEntries(
              items.map(({ variableId }, index) => [variableId, values[index] ?? '']),
            ),
          },
          `${values.join(', ')}.`,
          notable.length > 0 ? notable.join(', ') : undefined,
        );
      });
      const name = asked.map(({ variableId }) => variableId).join(', ');
      return {
        choices: [
          ...given,
          read({ values: {} }, 'I would rather not say.', `does not give ${shortened(name)}`),
        ],
        isComplete,
      };
    }
  }
}

/** The responses of a request that conditions can tell apart. */
function responsesOf(
  design: Design,
  id: string,
  domains: Domains,
): { choices: Choice[]; isComplete: boolean } {
  const mappings = nodesCalled(design, id).flatMap(({ fetch, webhook }) => [
    ...(fetch?.responseMappings ?? []).map((mapping) => ({
      ...mapping,
      isText: fetch?.responseFormat === 'text',
    })),
    ...(webhook?.responseVariableId === undefined
      ? []
      : [
          {
            variableId: webhook.responseVariableId,
            path: webhook.responsePath,
            transform: 'auto',
            isText: false,
          },
        ]),
  ]);
  const isTold = mappings.some(({ variableId }) => domains.has(variableId));
  const { combinations, isComplete } = combined(
    mappings.map(({ variableId }) => optional(domains.get(variableId)) ?? ['ok']),
  );
  const answered = combinations.map((values): Choice => {
    let body: unknown;
    let text: string | undefined;
    for (const [index, { path, transform = 'auto', isText }] of mappings.entries()) {
      const value = values[index];
      if (value === undefined) continue;
      const given = converted(value, transform);
      if (isText) text ??= String(given);
      else body = placed(body, responseSegments(path), given);
    }
    return {
      does: 'respond',
      node: id,
      mock: { status: 200, body: text ?? JSON.stringify(body ?? {}) },
      says: toldBy(mappings, values, domains),
    };
  });
  const failed: Choice = { does: 'respond', node: id, mock: { fail: 'no response' }, says: `${id} fails` };
  return { choices: isTold ? [...answered, failed] : answered.slice(0, 1), isComplete };
}

function contactsOf(
  design: Design,
  id: string,
  domains: Domains,
): { choices: Choice[]; isComplete: boolean } {
  const lookups = nodesCalled(design, id).flatMap(({ crmLookup }) => crmLookup ?? []);
  const mappings = lookups.flatMap(({ fieldMappings }) => fieldMappings);
  const { combinations, isComplete } = combined(
    mappings.map(({ variableId }) => optional(domains.get(variableId)) ?? ['Ana']),
  );
  const found = combinations.map(
    (values): Choice => ({
      does: 'find',
      node: id,
      contact: Object.fromEntries(
        mappings.flatMap(({ field }, index) => {
          const value = values[index];
          return value === undefined ? [] : [[field, value]];
        }),
      ),
      says: toldBy(mappings, values, domains),
    }),
  );
  return {
    choices: [...found, { does: 'find', node: id, contact: null, says: 'is not in the CRM' }],
    isComplete,
  };
}

/** Also the case that a response lacks the value. */
function optional(values: readonly string[] | undefined): readonly (string | undefined)[] | undefined {
  return values && [...values, undefined];
}

/** The values that conditions read, in words. The first of each goes without saying. */
function toldBy(
  mappings: readonly { readonly variableId: string }[],
  values: readonly (string | undefined)[],
  domains: Domains,
): string | undefined {
  const told = mappings.flatMap(({ variableId }, index) => {
    const domain = domains.get(variableId);
    const value = values[index];
    if (!domain || value === domain[0]) return [];
    return [
      value === undefined || value === '' ? `no ${variableId}` : `${variableId} is ${shortened(value)}`,
    ];
  });
  return told.length > 0 ? [...new Set(told)].join(', ') : undefined;
}

function nodesCalled(design: Design, id: string): HookNode[] {
  return [...nodesOf(design)].flatMap(({ key, node }) => (key === id ? [node] : []));
}

/** The values that conditions of the design tell apart. */
export function domainsOf(design: Design): Domains {
  const domains = new Map<string, Set<string>>();
  for (const { node } of nodesOf(design))
    for (const branch of node.condition?.branches ?? []) {
      if (!('predicate' in branch)) continue;
      const { variable, operator, value = '' } = branch.predicate;
      const name = variable.variableId ?? variable.systemVariable;
      // A call that starts at another moment has another value.
      if (name === undefined || momentVariable(design, name)) continue;
      const values = domains.get(name) ?? new Set<string>();
      domains.set(name, values);
      if (operator === 'gt' || operator === 'lt') {
        const number = Number(value);
        const [less, more] = Number.isFinite(number)
          ? [String(number - 1), String(number + 1)]
          : ['', `${value}a`];
        // The first value is the one that takes the branch.
        for (const one of operator === 'gt' ? [more, less] : [less, more]) if (one !== '') values.add(one);
      } else if (operator === 'eq' || operator === 'contains') values.add(value);
      // Of an unequal value it is enough that it is none of the others.
      else if (operator === 'neq') values.add(`not ${value}`).add(value);
      else values.add('something').add('');
    }
  // A value that no branch names.
  return new Map([...domains].map(([name, values]) => [name, [...values.add('other')]]));
}

const samples: readonly (readonly [RegExp, string])[] = [
  [/e-?mail/i, 'ana@example.com'],
  [/phone|mobile|telefon/i, '+12025550143'],
  [/date|day|when|datum/i, '2026-03-02'],
  [/number|how many|people|count|guests|age|anzahl/i, '2'],
];

/** What a caller gives for a variable. */
function valuesFor(variableId: string, description: string, domains: Domains): readonly string[] {
  const about = `${variableId} ${description}`;
  const sample = samples.find(([pattern]) => pattern.test(about))?.[1] ?? 'Ana Silva';
  return domains.has(variableId) ? valuesOf(variableId, domains, false) : [sample];
}

/** Every combination of one value of each list. If they are too many, each value once, next to the first of the others. */
function combined<Value>(lists: readonly (readonly Value[])[]): {
  combinations: Value[][];
  isComplete: boolean;
} {
  const count = lists.reduce((product, { length }) => product * length, 1);
  const most = Math.max(1, Math.min(mostCombinations, Math.floor(mostValues / Math.max(1, lists.length))));
  if (count <= most) {
    const combinations = Array.from({ length: count }, (_, combination) => {
      let rest = combination;
      // The last list varies fastest.
      return lists
        .toReversed()
        .map((list) => {
          const value = list[rest % list.length] as Value;
          rest = Math.floor(rest / list.length);
          return value;
        })
        .toReversed();
    });
    return { combinations, isComplete: true };
  }
  const first = lists.flatMap((list) => list.slice(0, 1));
  const others = lists.flatMap((list, index) => list.slice(1).map((value) => [index, value] as const));
  const varied = others.slice(0, most - 1).map(([index, value]) => first.with(index, value));
  return { combinations: [first, ...varied], isComplete: false };
}

/** Puts a value at a place inside another, and returns the whole. Small numbers are positions of lists. */
function placed(value: unknown, segments: readonly string[], inner: Json): unknown {
  const [segment, ...rest] = segments;
  if (segment === undefined) return inner;
  const isPosition = /^\d{1,2}$/.test(segment);
  if (isPosition && !isObject(value)) {
    const list = isList(value) ? value : [];
    const length = Math.max(list.length, Number(segment) + 1);
    return Array.from({ length }, (_, index) =>
      index === Number(segment) ? placed(list[index], rest, inner) : (list[index] ?? {}),
    );
  }
  const members = isObject(value) ? value : {};
  const member = Object.hasOwn(members, segment) ? members[segment] : undefined;
  // A copy for each place would take quadratic time. An assignment to `__proto__` would define nothing.
  return Object.defineProperty(members, segment, {
    value: placed(member, rest, inner),
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

function converted(text: string, transform: string): string | number {
  if (transform === 'json') return JSON.stringify(text);
  const isNumber = text.trim() !== '' && Number.isFinite(Number(text));
  return transform === 'number' && isNumber ? Number(text) : text;
}

function shortened(text: string): string {
  return text.length <= titleLength ? text : `${text.slice(0, titleLength)}…`;
}
