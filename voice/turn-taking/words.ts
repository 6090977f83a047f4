/*
 * What the words of a caller say about the end of the turn. These rules know English. Words of other languages match
 * none of them, so the usual silence applies, and any word interrupts.
 */

/** Sounds and words that say "I am listening", and greetings, which callers say to check that someone is there. */
const backchannel =
  /^(?:(?:yes|yeah|yep|yup|m+|m*h+m+|a+h+|o+h+|aha|u+[hm]+|e+r+|huh|okay|ok|alright|all right|right|sure|fine|cool|great|good|i see|got it|hello|hi|hey)(?: |$))+$/u;

/** The words of a short answer to a yes-or-no question, and those that make it clear. */
const answerWords =
  /^(?:(?:yes|yeah|yep|yup|no|nope|nah|sure|okay|ok|correct|right|exactly|absolutely|definitely|of|course|please|thanks|thank|you|that|that's|it|is|isn't|i|do|don't|am|not)(?: |$))+$/u;
const clearAnswer =
  /\b(?:yes|yeah|yep|yup|no|nope|nah|sure|correct|exactly|absolutely|definitely|of course)\b/u;

/** A text that ends with one of these goes on. */
const openEnd =
  /(?:^| )(?:and|or|but|because|if|um+|uh+|er+|the|a|an|my|your|to|at|of|on|for|with|from|is|are|was|i'm|it's|like|plus|double|triple|dot|dash)$/u;

const spokenDigits = /\b(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)\b|\d/gu;

/** Lower case, without punctuation, one space between words. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll(/[^\p{L}\p{M}\p{N}']+/gu, ' ')
    .trim();
}

/** Whether a text only says that the caller listens; so does an empty one, such as a cough. */
export function isBackchannel(text: string): boolean {
  const words = plain(text);
  return words === '' || backchannel.test(words);
}

/** Whether a text is "yes", which also answers a question that the agent has not finished. "Yeah" and "okay" do not. */
export function isYes(text: string): boolean {
  return /^yes(?: (?:yes|please))*$/u.test(plain(text));
}

/** Whether a text is a clear yes or no, and nothing else. */
export function isClearAnswer(text: string): boolean {
  const words = plain(text);
  return answerWords.test(words) && clearAnswer.test(words);
}

/** Whether a text holds enough digits for a phone number: ten, as in North America, or more. */
export function isPhoneNumber(text: string): boolean {
  return (plain(text).match(spokenDigits)?.length ?? 0) >= 10;
}

/** Whether a text ends with an address, as written or as spoken. */
export function isEmailAddress(text: string): boolean {
  return /(?:@| at )\S.*(?:\.| dot )\p{L}{2,}\W*$/iu.test(text);
}

/** Whether a text ends in the middle of a sentence. */
export function endsOpenly(text: string): boolean {
  return /[,:;…–-]\s*$|\.\.\.\s*$/u.test(text) || openEnd.test(plain(text));
}
