/** A text of a flow's configuration. */
export interface FlowField {
  /** The same in every version, so that versions can be compared. */
  readonly key: string;
  /** The name of the member; empty if the item has only one. */
  readonly name: string;
  readonly text: string;
}

/** Something with fields: a question, a node, or the only item of its section. */
export interface FlowItem {
  readonly key: string;
  readonly title: string;
  readonly fields: readonly FlowField[];
}

/** A member of the configuration. */
export interface FlowSection {
  readonly title: string;
  readonly items: readonly FlowItem[];
}

/** How the known members are called, in the order in which a call meets them. */
const titles: Readonly<Record<string, string>> = {
  greeting: 'Greeting',
  persona: 'Persona',
  instructions: 'Instructions',
  language: 'Language',
  languages: 'Languages',
  questions: 'Questions',
  faq: 'Questions that callers ask',
  skills: 'Skills',
  handoff: 'Handoff to a person',
  closing: 'Closing',
  entry: 'First node',
  nodes: 'Nodes',
  edges: 'Ways between nodes',
};
const order = Object.keys(titles);

/** The members that name an item of a list, best first. */
const naming = ['key', 'question', 'id'] as const;

/** A flow's configuration as sections to read. It keeps unknown members, which a graph may have. */
export function sectionsOf(configuration: unknown): FlowSection[] {
  if (!isObject(configuration)) return [];
  const rank = (member: string) => (order.includes(member) ? order.indexOf(member) : order.length);
  return Object.entries(configuration)
    .toSorted(([one], [other]) => rank(one) - rank(other))
    .map(([member, value]) => ({ title: titles[member] ?? member, items: itemsOf(member, value) }))
    .filter(({ items }) => items.length > 0);
}

function itemsOf(member: string, value: unknown): FlowItem[] {
  if (Array.isArray(value) && value.some(isObject))
    return numbered(value.map((item) => itemOf(member, item)));
  if (isObject(value)) return [{ key: member, title: '', fields: fieldsOf(member, Object.entries(value)) }];
  return [{ key: member, title: '', fields: [{ key: member, name: '', text: textOf(value) }] }];
}

function itemOf(member: string, item: unknown): FlowItem {
  if (!isObject(item))
    return { key: member, title: '', fields: [{ key: member, name: '', text: textOf(item) }] };
  const name = naming.find((candidate) => typeof item[candidate] === 'string');
  const title = name === undefined ? '' : textOf(item[name]);
  const key = `${member}/${title}`;
  const rest = Object.entries(item).filter(([other]) => other !== name);
  return { key, title, fields: fieldsOf(key, rest) };
}

function fieldsOf(key: string, members: readonly [string, unknown][]): FlowField[] {
  return members.map(([name, value]) => ({
    key: `${key}/${name}`,
    name: members.length === 1 ? '' : name,
    text: textOf(value),
  }));
}

/** Two items of one name get different keys, in their order. */
function numbered(items: readonly FlowItem[]): FlowItem[] {
  const seen = new Map<string, number>();
  return items.map((item) => {
    const count = (seen.get(item.key) ?? 0) + 1;
    seen.set(item.key, count);
    if (count === 1) return item;
    const suffix = `#${count}`;
    return {
      ...item,
      key: item.key + suffix,
      fields: item.fields.map((field) => ({ ...field, key: field.key + suffix })),
    };
  });
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ');
  return JSON.stringify(value, null, 2);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text that differs between two configurations. */
export interface FlowDifference {
  readonly key: string;
  /** Where it stands, such as "Questions · name". */
  readonly place: string;
  /** Undefined if only the other configuration has it. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What differs between two configurations, field by field, in the order in which they are read. */
export function differencesBetween(before: unknown, after: unknown): FlowDifference[] {
  const [old, current] = [fieldsByKey(before), fieldsByKey(after)];
  return [...new Map([...old, ...current])].flatMap(([key, { place }]) => {
    const texts = { before: old.get(key)?.text, after: current.get(key)?.text };
    return texts.before === texts.after ? [] : [{ key, place, ...texts }];
  });
}

function fieldsByKey(configuration: unknown): Map<string, { place: string; text: string }> {
  const fields = sectionsOf(configuration).flatMap((section) =>
    section.items.flatMap((item) =>
      item.fields.map(({ key, name, text }): [string, { place: string; text: string }] => [
        key,
        { place: [section.title, item.title, name].filter(Boolean).join(' · '), text },
      ]),
    ),
  );
  return new Map(fields);
}
