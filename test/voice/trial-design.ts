import type { StandInEvent } from './stand-in.ts';

/** The lines of the agent in the trial. */
export const lines = {
  greeting: 'Hello, this is the bookshop. How can I help you?',
  answer: 'We are open from nine to five.',
  story:
    'Once upon a time there was a small bookshop at the end of a long street. It had more books than anyone could count, and a cat that slept on all of them, one after another, from the first to the last.',
  transfer: 'I put you through.',
  failure: 'Nobody answers there.',
  // Long enough for a heartbeat: Parley no longer counts the room then.
  farewell: 'Goodbye, and thank you for calling the small bookshop at the end of the long street.',
};

const listening = { event: 'listen', step: 's1', expects: 'question', silence: 20 };
const says = (text: string): readonly StandInEvent[] => [{ event: 'say', text, step: 's1' }, listening];

/** The events of the turn after a text of the caller; the empty text starts. */
export const responses: Readonly<Record<string, readonly StandInEvent[]>> = {
  '': says(lines.greeting),
  'when are you open': says(lines.answer),
  'tell me a story': says(lines.story),
  'put me through': [
    { event: 'say', text: lines.transfer, step: 's1' },
    { event: 'transfer', kind: 'phoneNumber', value: '+12025550155', mode: 'cold', isAwaited: true },
  ],
  '(not transferred)': says(lines.failure),
  goodbye: [
    { event: 'say', text: lines.farewell, step: 's2' },
    { event: 'end', reason: 'goodbye' },
  ],
};
