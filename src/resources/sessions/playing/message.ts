import * as v from 'valibot';
import { jsonProblems } from '../../../operation/json.ts';
import { validBody } from '../../../operation/valid-body.ts';
import { type Issue, invalidRequest } from '../../../platform/errors.ts';
import type { Heard, TurnInput } from './play-turn.ts';
import { longestText, recordingTypes } from './speech.ts';

const MessageId = v.pipe(v.string(), v.minLength(1), v.maxCodePoints(100));

/** The request that starts a session. */
export const Start = v.strictObject({ start: v.literal(true) });

/** What a caller had heard of the agent's last turn when they interrupted it. */
const HeardLines = v.pipe(
  v.strictObject({
    turn: v.pipe(
      v.number(),
      v.integer(),
      v.minValue(0),
      v.description('The number of the turn, as `done` said it.'),
    ),
    text: v.pipe(
      v.string(),
      v.maxCodePoints(longestText * 5),
      v.description('How its lines begin, joined by spaces, as far as the caller heard them.'),
    ),
  }),
  v.description('For a spoken session: the caller has interrupted the turn before.'),
);

/** What every turn of a visitor may say besides. */
const about = { messageId: MessageId, heard: v.exactOptional(HeardLines) };

/** A message of a visitor. */
export const Message = v.strictObject({
  text: v.pipe(v.string(), v.maxCodePoints(longestText), v.regex(/\S/, 'Expected a text that is not empty.')),
  ...about,
});

/** A caller who has said nothing for a while. */
export const Silence = v.strictObject({ silent: v.literal(true), ...about });

/** Keys that a caller has pressed. */
export const Digits = v.strictObject({
  digits: v.pipe(v.string(), v.regex(/^[0-9*#]{1,32}$/, 'Expected keys of a telephone: 0 to 9, * and #.')),
  ...about,
});

/** What came of a transfer that a voice worker had to carry out. */
export const Transferred = v.strictObject({
  transferred: v.boolean(),
  reason: v.exactOptional(
    v.pipe(v.string(), v.maxCodePoints(200), v.description('Why it failed, for the record of the session.')),
  ),
  messageId: MessageId,
});

type TurnSchema = typeof Message | typeof Silence | typeof Digits;
type Turn = v.InferOutput<TurnSchema>;

/**
 * Reads a visitor's message, or the request that starts the session.
 * @throws ToolError `invalid_request` with every issue
 */
export function readMessage(body: unknown, given: readonly Issue[]): Exclude<TurnInput, { kind: 'end' }> {
  const output = validBody<typeof Start | typeof Transferred | TurnSchema>(schemaOf(body), body, given);
  if ('start' in output) return { kind: 'start' };
  if (!('transferred' in output)) return turnIn(output);
  const { transferred, reason = 'the other telephone was not reached', messageId } = output;
  return { kind: 'transferred', messageId, failed: transferred ? undefined : reason };
}

function schemaOf(body: unknown) {
  if (typeof body !== 'object' || body === null) return Message;
  if ('start' in body) return Start;
  if ('silent' in body) return Silence;
  if ('transferred' in body) return Transferred;
  return 'digits' in body ? Digits : Message;
}

function turnIn({ heard, messageId, ...said }: Turn): Exclude<TurnInput, { kind: 'start' | 'end' }> {
  const turn: { messageId: string; heard?: Heard } = { messageId, ...(heard && { heard }) };
  if ('silent' in said) return { kind: 'silence', ...turn };
  return 'digits' in said
    ? { kind: 'digits', digits: said.digits, ...turn }
    : { kind: 'message', text: said.text, ...turn };
}

/** A line that a voice worker speaks. */
export const SpokenLine = v.strictObject({
  text: v.pipe(v.string(), v.maxCodePoints(longestText), v.regex(/\S/, 'Expected a text that is not empty.')),
});

/**
 * Reads a line to be spoken.
 * @throws ToolError `invalid_request` with every issue
 */
export function readLine(body: unknown, given: readonly Issue[]): string {
  return validBody(SpokenLine, body, given).text;
}

interface RecordingHeaders {
  readonly 'content-type'?: string | undefined;
}

/**
 * The media type of a recording.
 * @throws ToolError `invalid_request`
 */
export function recordingType({ 'content-type': contentType = '' }: RecordingHeaders): string {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (Object.hasOwn(recordingTypes, type)) return contentType;
  const message = `Expected the Content-Type ${Object.keys(recordingTypes).join(', ')}.`;
  throw invalidRequest([{ in: 'body', path: '', message }]);
}

/**
 * Reads what comes with a recorded turn: the id of the message from the query, and the format of the recording.
 * @throws ToolError `invalid_request`
 */
export function readRecordingHead(
  messageId: unknown,
  headers: RecordingHeaders,
): { messageId: string; contentType: string } {
  const contentType = recordingType(headers);
  const { output, issues, success } = v.safeParse(MessageId, messageId);
  if (success && jsonProblems(output).length === 0) return { messageId: output, contentType };
  const message = issues?.[0].message ?? 'Holds characters that cannot be stored.';
  throw invalidRequest([{ in: 'querystring', path: '/messageId', message }]);
}
