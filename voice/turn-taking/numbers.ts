import type { Expected } from './types.ts';

/*
 * All in milliseconds. Silences are multiples of 32, because audio arrives in windows of 32 ms.
 */

/** Silero's window: 512 samples at 16 kHz. */
export const window = 32;

/** Speech starts above the first probability and is quiet below the second, as Silero recommends (threshold, threshold − 0.15). */
export const speechAbove = 0.5;
export const quietBelow = 0.35;

/** Speech must last three windows, or each click would start an utterance. */
export const leastVoiced = 96;

/** Audio from before the start that belongs to the utterance: soft consonants are detected late, and recognisers need a lead-in. */
export const leadIn = 480;

/** Quiet after which transcription starts. In the prototype, it was then mostly ready when the turn ended. */
export const earlyQuiet = 192;

/** The silence that ends a turn. */
export const endOfTurn: Readonly<Record<Expected, number>> = {
  // One word is the whole answer.
  yesNo: 352,
  choice: 352,
  // The prototype's 400 ms cut nobody off; Vapi also waits 400 ms.
  question: 448,
  time: 448,
  // People pause between first and last name, and while they spell.
  name: 608,
  text: 608,
  // People say these in groups, with pauses of up to 900 ms between the groups.
  phone: 960,
  number: 960,
  email: 960,
  date: 960,
};

/** The silence after a clear yes or no, or a "mhm" that interrupts a line: nothing is likely to follow. */
export const afterClearAnswer = 288;

/** The silence after a phone number or an address that looks complete: one more group may follow, as in German numbers. */
export const afterComplete = 448;

/** The silence after "my number is" or a comma. It stays below `longestPause`, or an interrupted line would go on before the end of the turn. */
export const afterOpenEnd = 1_312;

/** Speech during a line that pauses it. Vapi also stops after 200 ms of voice. */
export const interruptAfter = 192;

/** Quiet after which a paused line goes on if no words have come. LiveKit's default is 2,000, which callers take for a dead line. */
export const longestPause = 1_500;

/** Speech this soon after a send goes on with what was sent. People pause for up to 700 ms within a sentence. */
export const continuesWithin = 700;

/** Speech this long is an answer even if the transcription is empty: "four" alone came back empty in the prototype. */
export const leastAnswer = 288;

/** An utterance is sent after this time even if the caller goes on: Whisper transcribes 30 s at once, and a radio never stops. */
export const longestUtterance = 30_000;

/** A transcription that takes longer counts as empty. A caller who hears nothing for 10 s hangs up. */
export const longestTranscription = 10_000;

/** Windows arrive without a gap while the microphone is open. If none comes for a second, the caller counts as quiet. */
export const audioGap = 1_000;

/** Time for the last sound to pass the jitter buffers on its way to the caller. */
export const beforeHangUp = 300;

/** What the silence of the caller may last if Parley has not said. */
export const usualSilence = 10_000;

/** Parley reports nothing about a turn for so long: its own limit for webhooks and models is shorter. */
export const longestTurn = 60_000;

/** The shell has not reported the end of a line: 180 s are about 2,500 characters. */
export const longestLine = 180_000;

/** Retell's default for the longest call is an hour too. */
export const longestCall = 3_600_000;

/** Turns in a row that may fail (a count, not a time). The shell retries each one before it reports a failure. */
export const mostFailures = 3;
