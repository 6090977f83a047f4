import { isJsonObject } from '../../src/operation/json.ts';

/** A JSON text in parts: what comes before its filling, one piece of the filling, and what comes after. */
interface Crowd {
  readonly open: string;
  /** The n-th piece. */
  readonly piece: (n: number) => string;
  readonly separator: string;
  readonly close: string;
}

const list = (piece: Crowd['piece']): Crowd => ({ open: '[', piece, separator: ',', close: ']' });
const members = (piece: Crowd['piece']): Crowd => ({ open: '{', piece, separator: ',', close: '}' });
const text = (piece: Crowd['piece']): Crowd => ({ open: '"', piece, separator: '', close: '"' });

/** Values that fill a place of a body up to its limit. */
export const crowds: Readonly<Record<string, Crowd>> = {
  zeros: list(() => '0'),
  'empty objects': list(() => '{}'),
  'empty lists': list(() => '[]'),
  nulls: list(() => 'null'),
  'empty texts': list(() => '""'),
  'different texts': list((n) => `"t${n}"`),
  'objects with an empty id': list(() => '{"id":""}'),
  'objects with an id': list((n) => `{"id":"i${n}"}`),
  'objects with unknown members': list(() => '{"x":0,"y":0}'),
  'large integers': list(() => '1e16'),
  'infinite numbers': list(() => '1e999'),
  'long numbers': list(() => '0.12345678901234567890'),
  'texts with NUL': list(() => '"\\u0000"'),
  'half surrogates': list(() => '"\\ud800"'),
  'deep lists': list(() => `${'['.repeat(70)}${']'.repeat(70)}`),
  'one deep list': { open: '', piece: () => '[', separator: '', close: '' },
  'unknown members': members((n) => `"m${n}":0`),
  'one member many times': members(() => '"m":{}'),
  'members with an object': members((n) => `"m${n}":{}`),
  'members with a text': members((n) => `"m${n}":""`),
  'members called constructor': members((n) => `"m${n}":{"constructor":0,"prototype":0}`),
  'members called __proto__': members((n) => `"m${n}":{"__proto__":0}`),
  'members with slashes': members((n) => `"~/~/${n}":{"~/":0}`),
  'a long name over many members': {
    open: `{"${'n'.repeat(100_000)}":{"steps":[`,
    piece: () => '{}',
    separator: ',',
    close: ']}}',
  },
  'a long text': text(() => 'x'),
  escapes: text(() => '\\u00e9'),
  emoji: text(() => '🙂'),
  quotes: text(() => '\\"'),
  'slashes of a pointer': text(() => '/a'),
  'white space': { open: '', piece: () => ' ', separator: '', close: '0' },
  'not JSON': { open: '[', piece: () => '0', separator: ',', close: '' },
};

/** A text of about `bytes` bytes, filled with the pieces of a crowd. */
function filled({ open, piece, separator, close }: Crowd, bytes: number): string {
  const pieces: string[] = [];
  let left = bytes - open.length - close.length;
  for (let n = 0; ; n++) {
    const next = piece(n);
    left -= Buffer.byteLength(next) + separator.length;
    if (left < 0) break;
    pieces.push(next);
  }
  return open + pieces.join(separator) + close;
}

export type Place = readonly (string | number)[];

/** Every place in a JSON value, from its root. */
export function placesIn(value: unknown, path: Place = []): Place[] {
  const inside = Array.isArray(value)
    ? [...value.entries()]
    : isJsonObject(value)
      ? Object.entries(value)
      : [];
  return [path, ...inside.flatMap(([step, member]) => placesIn(member, [...path, step]))];
}

const mark = '\u2020here\u2020';

/** The JSON text of a body whose value at a place is replaced by a crowd; `bytes` long, or a little less. */
export function crowdedBody(body: unknown, place: Place, crowd: string, bytes: number): Buffer {
  const around = JSON.stringify(replacedAt(body, place));
  const room = bytes - Buffer.byteLength(around) + Buffer.byteLength(JSON.stringify(mark));
  const [before = '', after = ''] = around.split(JSON.stringify(mark));
  const filling = crowds[crowd];
  if (!filling) throw new Error(`there is no crowd ${crowd}`);
  return Buffer.from(before + filled(filling, room) + after);
}

/** The JSON text of a body in which one item of a list, or one member of an object, is repeated. */
export function repeatedBody(body: unknown, place: Place, bytes: number): Buffer | undefined {
  const value = place.reduce<unknown>((at, step) => (at as Record<string | number, unknown>)[step], body);
  const [first] = Array.isArray(value) ? (value as unknown[]) : [];
  const [member] = isJsonObject(value) ? Object.entries(value) : [];
  if (first === undefined && !member) return undefined;
  const item = JSON.stringify(first ?? member?.[1]);
  const filling = member
    ? members((n) => `"${n}":${item}`)
    : list((n) => item.replace(/"id":"/, `"id":"${n}`));
  const around = JSON.stringify(replacedAt(body, place));
  const [before = '', after = ''] = around.split(JSON.stringify(mark));
  return Buffer.from(before + filled(filling, bytes - Buffer.byteLength(before + after)) + after);
}

function replacedAt(value: unknown, [step, ...rest]: Place): unknown {
  if (step === undefined) return mark;
  if (Array.isArray(value))
    return value.map((item: unknown, index) => (index === step ? replacedAt(item, rest) : item));
  const object = value as Readonly<Record<string, unknown>>;
  return { ...object, [step]: replacedAt(object[step], rest) };
}
