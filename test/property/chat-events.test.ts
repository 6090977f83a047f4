import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ChatEvents } from '../../src/services/models/chat-events.ts';

const data = fc.constantFrom(
  'data: {"choices":[{"delta":{"content":"a"}}],"usage":null}',
  'data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4}}',
  ': a comment',
  'data: [DONE]',
  'event: x\r\ndata: 1',
);
const blankLine = fc.constantFrom('\n\n', '\n\n\n', '\r\n\r\n', '\r\r');
const stream = fc.array(
  fc.tuple(data, blankLine).map((parts) => parts.join('')),
  {
    minLength: 1,
    maxLength: 6,
  },
);

/** What events make of a stream in these pieces: what was sent for each piece, and the tally. */
function passed(pieces: readonly Buffer[]) {
  const events = new ChatEvents(false);
  const sent = pieces.map((piece) => events.pass(piece).toString());
  return { sent, rest: events.rest().toString(), tally: events.tally };
}

test('events pass whole and unchanged, however the stream is cut', () => {
  fc.assert(
    fc.property(stream, fc.array(fc.nat({ max: 5 }), { maxLength: 60 }), (events, sizes) => {
      const text = events.join('');
      const pieces: Buffer[] = [];
      let from = 0;
      for (const size of sizes) {
        pieces.push(Buffer.from(text.slice(from, from + size)));
        from += size;
      }
      pieces.push(Buffer.from(text.slice(from)));
      const { sent, rest, tally } = passed(pieces);
      expect(sent.join('') + rest).toBe(text);
      // The last of three line feeds may come alone.
      expect(rest).toMatch(/^\n?$/);
      for (const part of sent) expect(part).toMatch(/^$|(?:\n\n|\r\n\r\n|\r\r)$/);
      expect(tally).toEqual(passed([Buffer.from(text)]).tally);
    }),
    { numRuns: 1000 },
  );
});

test('usage counts although the text of its event holds line separators that are none of the stream', () => {
  const usage = '"usage":{"prompt_tokens":3,"completion_tokens":4}';
  const text = 'a\u2028data: {}\u2029b\u0085';
  const { tally } = passed([Buffer.from(`data: {"choices":[{"delta":{"content":"${text}"}}],${usage}}\n\n`)]);
  expect(tally.usage).toEqual({ tokensIn: 3, tokensOut: 4 });
});

test('an event ends with its blank line, although the line comes in three pieces', () => {
  const { sent } = passed(['data: 1\r', '\n', '\r\n', 'data: 2'].map((text) => Buffer.from(text)));
  expect(sent).toEqual(['', '', 'data: 1\r\n\r\n', '']);
});

test('an event of more than 8 MiB is refused, in however many pieces it comes', () => {
  const piece = Buffer.alloc(1_048_576, 'a');
  expect(() => passed(Array.from({ length: 9 }, () => piece))).toThrow('an event is longer than 8 MiB');
});
