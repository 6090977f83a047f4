import { membersOf } from '../../platform/json-text.ts';

const comma = 0x2c;
const [open, close] = [0x7b, 0x7d];

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

/**
 * The text of a member's value. If a name occurs more than once, the last member counts.
 * @param text must be the valid text of a JSON object in UTF-8
 */
export function memberText(text: Buffer, name: string): Buffer | undefined {
  const member = membersOf(text, text.indexOf(open)).findLast((one) => one.name === name);
  return member && text.subarray(member.valueStart, member.end);
}
