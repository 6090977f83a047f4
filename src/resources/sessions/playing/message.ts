import * as v from 'valibot';
import { jsonProblems } from '../../../operation/json.ts';
import { type Issue, invalidRequest, jsonPointer } from '../../../platform/errors.ts';
import { longestText, type TurnInput } from './play-turn.ts';
import { recordingTypes } from './speech.ts';

const MessageId = v.pipe(v.string(), v.minLength(1), v.maxCodePoints(100));

/** The request that starts a session. */
export const Start = v.strictObject({ start: v.literal(true) });

/** A message of a visitor. */
export const Message = v.strictObject({
  text: v.pipe(v.string(), v.maxCodePoints(longestText), v.regex(/\S/, 'Expected a text that is not empty.')),
  messageId: MessageId,
});

/**
 * Reads a visitor's message, or the request that starts the session.
 * @throws ToolError `invalid_request` with every issue
 */
export function readMessage(body: unknown, given: readonly Issue[]): Exclude<TurnInput, { kind: 'end' }> {
  const [unread, ...others] = given;
  if (unread) throw invalidRequest([unread, ...others]);
  const problems = jsonProblems(body).map(({ path, message }) => ({ path, message }));
  const isStart = typeof body === 'object' && body !== null && 'start' in body;
  const parsed = isStart ? v.safeParse(Start, body) : v.safeParse(Message, body ?? {});
  const issues = [
    ...problems,
    ...(parsed.issues ?? []).map((issue) => ({
      path: (issue.path ?? []).map(({ key }) => key as string | number),
      message: issue.message,
    })),
  ].map(({ path, message }) => ({ in: 'body' as const, path: jsonPointer(path), message }));
  const [first, ...more] = issues;
  if (first) throw invalidRequest([first, ...more]);
  const { output } = parsed as { output: v.InferOutput<typeof Start> | v.InferOutput<typeof Message> };
  return 'start' in output ? { kind: 'start' } : { kind: 'message', ...output };
}

/**
 * Reads what comes with a recorded turn: the id of the message from the query, and the format of the recording.
 * @throws ToolError `invalid_request`
 */
export function readRecordingHead(
  messageId: unknown,
  contentType: string | undefined,
): { messageId: string } {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!Object.hasOwn(recordingTypes, type)) {
    const message = `Expected the Content-Type ${Object.keys(recordingTypes).join(', ')}.`;
    throw invalidRequest([{ in: 'body', path: '', message }]);
  }
  const { output, issues, success } = v.safeParse(MessageId, messageId);
  if (success && jsonProblems(output).length === 0) return { messageId: output };
  const message = issues?.[0].message ?? 'Holds characters that cannot be stored.';
  throw invalidRequest([{ in: 'querystring', path: '/messageId', message }]);
}
