/** The position of a member of the outermost object in its JSON text, in bytes. */
interface Member {
  readonly name: string;
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const [open, close, openList, closeList] = [0x7b, 0x7d, 0x5b, 0x5d];

/** New JSON text by member name; null removes the member. */
export type MemberEdits = ReadonlyMap<string, string | null>;

/**
 * Replaces, adds or removes members of a JSON object in its text. All other bytes stay as they are. If a name occurs more
 * than once, only its last member is kept: it is the one that JSON.parse has read, and an upstream might read another.
 * @param text must be the valid text of a JSON object in UTF-8
 */
export function editMembers(text: Buffer, edits: MemberEdits): Buffer {
  const start = text.indexOf(open);
  const members = membersOf(text, start);
  const last = new Map(members.map((member) => [member.name, member]));
  const unchanged =
    last.size === members.length &&
    [...edits].every(([name, value]) => (value === null ? !last.has(name) : false));
  if (unchanged) return text.subarray(start);
  const pieces: Buffer[] = [];
  const add = (...bytes: Buffer[]) => pieces.push(Buffer.of(pieces.length === 0 ? open : comma), ...bytes);
  for (const member of members) {
    if (last.get(member.name) !== member) continue;
    const value = edits.get(member.name);
    if (value === undefined) add(text.subarray(member.start, member.end));
    else if (value !== null) add(text.subarray(member.start, member.valueStart), Buffer.from(value));
  }
  for (const [name, value] of edits)
    if (value !== null && !last.has(name)) add(Buffer.from(`${JSON.stringify(name)}:${value}`));
  if (pieces.length === 0) pieces.push(Buffer.of(open));
  return Buffer.concat([...pieces, Buffer.of(close)]);
}

function membersOf(text: Buffer, object: number): Member[] {
  const members: Member[] = [];
  for (let at = nextOf(text, object + 1); text[at] === quote; ) {
    const nameEnd = afterString(text, at);
    const name = JSON.parse(text.toString('utf8', at, nameEnd)) as string;
    const valueStart = nextOf(text, nextOf(text, nameEnd) + 1);
    const end = afterValue(text, valueStart);
    members.push({ name, start: at, valueStart, end });
    const next = nextOf(text, end);
    if (text[next] !== comma) break;
    at = nextOf(text, next + 1);
  }
  return members;
}

/** The next position that is not white space. */
function nextOf(text: Buffer, from: number): number {
  let at = from;
  for (let byte = text[at]; byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09; byte = text[at])
    at++;
  return at;
}

/** The position after a string. It may have many megabytes, so its end is found with a native search. */
function afterString(text: Buffer, start: number): number {
  for (let from = start + 1; ; ) {
    const end = text.indexOf(quote, from);
    if (end < 0) throw new Error('a string of the JSON text does not end');
    let escapes = 0;
    while (text[end - 1 - escapes] === backslash) escapes++;
    if (escapes % 2 === 0) return end + 1;
    from = end + 1;
  }
}

function afterValue(text: Buffer, start: number): number {
  const first = text[start];
  if (first === quote) return afterString(text, start);
  if (first !== open && first !== openList) return afterWord(text, start);
  let depth = 0;
  for (let at = start; at < text.length; ) {
    const byte = text[at];
    if (byte === quote) {
      at = afterString(text, at);
      continue;
    }
    at++;
    if (byte === open || byte === openList) depth++;
    else if ((byte === close || byte === closeList) && --depth === 0) return at;
  }
  throw new Error('the JSON text does not end');
}

/** A number, true, false or null. */
function afterWord(text: Buffer, start: number): number {
  let at = start;
  for (let byte = text[at]; byte !== undefined && byte > 0x20 && byte !== comma && byte !== close; ) {
    if (byte === colon || byte === quote) throw new Error('the JSON text is none');
    byte = text[++at];
  }
  return at;
}
