import { expect, test } from 'vitest';
import type { End } from '../../evals/task.ts';
import { looks } from '../../evals/tasks/second-blind-looks.ts';

/** How people and models write, besides the recorded answers; the tests of the tasks replay those. */
const wordings: Readonly<Record<string, { right: readonly string[]; wrong: readonly string[] }>> = {
  'Numbers that nobody answers': {
    right: [
      'Spare line is disabled and has no flow or conversation. Recall desk is on but nothing is assigned to it. Main line and Mobile are fine.',
      'Spare line (0103) and Recall desk (0106) have nobody assigned; Spare line is also switched off. Nothing was changed.',
      `| Number | Name | Why |
|---|---|---|
| +12025550103 | Spare line | disabled; nothing assigned |
| +12025550106 | Recall desk | nothing assigned (it is not disabled) |`,
      `**Recall desk** (+1 202 555 0106)
- No agent is assigned.

**Spare line** (+1 202 555 0103)
- It is turned off.
- No agent is assigned.`,
    ],
    wrong: [
      'Spare line and Recall desk are both switched off, and nothing is assigned to them.',
      'Spare line is disabled and nothing is assigned. Recall desk is disabled and nothing is assigned.',
      'Spare line is switched off. Nothing is assigned to Recall desk.',
      'Nothing is assigned to Spare line, which is off, to Recall desk and to Mobile.',
      'All numbers are answered.',
    ],
  },
  'What the prepared Clinic line would change': {
    right: [
      'Callers would hear "We are open from 8 to 8." instead of "We are open from 8 to 6.", and "Goodbye and stay healthy." instead of "Goodbye." Everything else, such as the greeting, the menu and billing, stays as it is.',
      `| What | Today (version 1) | If you put version 3 live |
| --- | --- | --- |
| Opening hours | "We are open from 8 to 6." | "We are open from 8 to 8." |
| Goodbye | "Goodbye." | "Goodbye and stay healthy." |`,
      `1. Opening hours
   - Old: "We are open from 8 to 6."
   - New: "We are open from 8 to 8."
2. Goodbye, also if billing does not pick up
   - Old: "Goodbye."
   - New: "Goodbye and stay healthy."`,
      'Hours: “We are open from 8 to 6.” → “We are open from 8 to 8.” Last line: “Goodbye.” → “Goodbye and stay healthy.” No other difference.',
    ],
    wrong: [
      'Today callers hear "We are open from 8 to 8." and "Goodbye and stay healthy."; the new version says "We are open from 8 to 6." and "Goodbye."',
      'The hours change from "8 to 6" to "8 to 8", and the goodbye from "Goodbye." to "Goodbye and stay healthy." The greeting changes, too.',
      'The hours change from "We are open from 8 to 6." to "We are open from 8 to 8."',
    ],
  },
  'Pain and bills on two numbers': {
    right: [
      `| | Main line | Mobile |
|---|---|---|
| In pain | +1 202-555-0190 | not put through |
| Bill | not put through | +1 202-555-0142 |`,
      `| Number | Caller | Put through to |
|---|---|---|
| Main line | in pain | +12025550190 |
| Main line | asks about a bill | nobody |
| Mobile | in pain | nobody |
| Mobile | asks about a bill | +12025550142 |`,
      'On Main line, a caller in pain is put through to +1 (202) 555-0190, and one with a bill is not put through. On Mobile, nobody in pain is put through, but a caller with a bill reaches +1 (202) 555-0142. I changed nothing.',
      `**Main line (Front desk)**
- Pain: +12025550190
- Bill: nowhere, no handoff for it

**Mobile (Clinic line)**
- Pain: nowhere
- Bill: +12025550142. If nobody picks up there, the caller hears "Goodbye."

No changes were made.`,
      'A caller in pain: Main line puts them through to 202-555-0190; Mobile does not put them through. A caller with a bill: Main line does not put them through; Mobile puts them through to 202-555-0142.',
      `Main line, +12025550101 (answered by the flow "Front desk", version 2)
- Caller in pain: put through to +12025550190 (its rule says: "The caller is in pain.").
- Caller asking about a bill: put through to nobody. Being in pain is the only case in which the Main line hands a caller over, and it knows nothing about bills (only the answer on insurance: "Yes, every private insurance.").

Mobile, +12025550102 (answered by the conversation "Clinic line", version 1, which is the live one)
- Caller in pain: put through to nobody. There is no choice for pain, so such a caller falls back to the opening hours, "We are open from 8 to 6.", then "Goodbye.", and the call ends.
- Caller asking about a bill: put through to +12025550142. If nobody can be reached there, the caller hears "Goodbye." and the call ends.

I changed nothing.`,
    ],
    wrong: [
      `Main line: pain to +12025550190, bill to nobody. Mobile: pain to nobody.
- Mobile, bill: put through to +12025550142. If nobody can be reached there, the caller is put through to +12025550190.`,
      `Main line: pain to +12025550190, bill to nobody. Mobile: pain to nobody.
- Mobile, bill: If nobody can be reached, the caller hears "Goodbye."`,
      'Callers in pain are put through to +12025550190 on both numbers. Bills go to +12025550142 on Mobile.',
      'Main line: pain to +12025550190, bill to +12025550142. Mobile: pain to nobody, bill to +12025550142.',
      'Main line: pain to +12025550142, bill to nobody. Mobile: pain to nobody, bill to +12025550190.',
      'Main line, in pain: +12025550190. Mobile, bill: +12025550142.',
    ],
  },
  'When billing does not pick up': {
    right: [
      'The caller first hears "Hello, I am the AI assistant of Brook Street Dental." The assistant finds out what they want and puts them through to +1 202-555-0142. As billing does not pick up, it says "Goodbye." and hangs up. They do not hear the opening hours "We are open from 8 to 6.", and +12025550190 is for callers in pain on Main line only.',
      `1. "Hello, I am the AI assistant of Brook Street Dental."
2. Transfer to +12025550142, which fails.
3. "Goodbye." Then the call is over.`,
    ],
    wrong: [
      '"Hello, I am the AI assistant of Brook Street Dental." Then +12025550142 does not pick up and they hear "We are open from 8 to 6.", then "Goodbye.", and the call ends.',
      '"Hello, I am the AI assistant of Brook Street Dental." Then the caller is put through to +12025550190. After that "Bye." ends the call.',
      '"Hello, I am the AI assistant of Brook Street Dental." They say "Goodbye." and the call ends after +12025550142.',
    ],
  },
};

test.each(Object.entries(wordings))(
  'understands ordinary wordings of "%s"',
  async (name, { right, wrong }) => {
    const judged = async (answer: string) => looks[name]?.check({ answer } as End);
    for (const answer of right) expect(await judged(answer), answer).toBe(true);
    for (const answer of wrong) expect(await judged(answer), answer).toBe(false);
  },
);

/** A call of prove_design that had this version proved. */
function proof(version: number, ...properties: readonly Record<string, unknown>[]): End['calls'][number] {
  const proofs = properties.map((property) => ({ property }));
  return {
    tool: 'prove_design',
    input: { conversationId: 'Clinic line' },
    failed: false,
    text: JSON.stringify({ versions: [{ version, proofs }] }),
  };
}

const never = { property: 'neverAfter', never: { kind: 'transfer' }, after: { kind: 'message' } };
const noBilling = [proof(1, never), proof(3, never)];
const path = 'It goes hello, menu, hours, menu, billing.';

test.each<[answer: string, isRight: boolean]>([
  [`Live now: yes, it is guaranteed. Version 3 (back-to-menu): no, it is not guaranteed. ${path}`, true],
  [`The live version guarantees it, but the latest prepared one doesn't. ${path}`, true],
  [`| Version | Guaranteed? |\n|---|---|\n| 1 (live) | yes |\n| 3 (back-to-menu) | no |\n\n${path}`, true],
  [
    `In the live version 1 nobody can be put through to billing after the hours: it holds. The newest draft breaks it. ${path}`,
    true,
  ],
  [`The live version does not guarantee it. The prepared version 3 does guarantee it. ${path}`, false],
  [
    `- Live now (version 1): YES, it is guaranteed. No call can reach the step "billing" (the only transfer, to +12025550142) after it has been at the step "hours" (the only place where opening hours are told): "Holds for every call." The reason: after the hours ("We are open from 8 to 6.") the call goes straight to "Goodbye." and ends.

- Latest prepared one (version 3, a draft, not live): NO, it is not guaranteed. After the hours, this version leads back to the menu instead of to the goodbye. The shortest such call:
  1. hello – the assistant greets the caller → menu
  2. menu – the caller asks about opening hours (exit "hours") → hours
  3. hours – the caller is told the opening hours (exit "next") → back to menu
  4. menu – the caller now asks about a bill (exit "billing") → billing
  5. billing – the caller is put through to billing.

I repaired and changed nothing. As long as version 3 is not activated, callers have the guarantee.`,
    true,
  ],
  [
    `Version 1 is live and guarantees it. Version 3 breaks it. ${path} Callers are safe until version 3 is activated.`,
    true,
  ],
  [
    `Version 1 is live and guarantees it. Version 3 breaks it. ${path} As long as version 3 is not activated, callers do not have the guarantee.`,
    false,
  ],
  [`Live (version 1): NO, it is not guaranteed. Version 3: YES, it is guaranteed. ${path}`, false],
  [`Version 3 guarantees it as long as it is not live. Version 1 is live and guarantees it. ${path}`, false],
  [`Both versions guarantee it. ${path}`, false],
  ['The live version guarantees it, the prepared version 3 does not.', false],
])('reads whether each version guarantees it: %s', async (answer, isRight) => {
  const check = looks['No billing after the opening hours']?.check;
  expect(await check?.({ answer, calls: noBilling, ids: {} } as unknown as End)).toBe(isRight);
  expect(await check?.({ answer, calls: noBilling.slice(1), ids: {} } as unknown as End)).toBe(false);
});

const disclosed = [{ property: 'everyPathEnds' }, { property: 'disclosedFirst' }];

test.each<[answer: string, isRight: boolean]>([
  ['Yes: both the live version and the prepared longer hours hold, without exception.', true],
  [
    'Version 1 (live) is proven. Version 2 (longer-hours) is proven too. If the transfer fails, the call ends as well.',
    true,
  ],
  ['It holds for what is live now. It also holds for the longer hours that are prepared.', true],
  [
    `Clinic line: both statements hold, for both versions. This is a proof over every possible call, not a trial call.

1. Live now (version 1):
- The caller learns that an AI speaks before being put through to anybody (property "disclosedFirst"): "Holds for every call."
- Every call can come to an end ("everyPathEnds"): "Holds for every call."

2. Longer hours, prepared and not live (draft version 2):
- AI disclosure before being put through: "Holds for every call."
- Every call can come to an end: "Holds for every call."`,
    true,
  ],
  ['It holds for what is live now. In the prepared version 2, every call can reach its end.', false],
  ['It holds for what is live now. In the prepared version 2, some calls can never come to an end.', false],
  [
    'Both are proven for what is live now. The prepared longer hours disclose the AI, but cannot reach the end.',
    false,
  ],
  ['It holds for what is live. For the prepared hours it could not be proved.', false],
  ['The live version holds. The prepared one breaks it.', false],
  ['It holds for what is live now.', false],
])('reads whether both versions disclose the AI: %s', async (answer, isRight) => {
  const check = looks['It says that it is an AI, live and prepared']?.check;
  const end = (...calls: End['calls']) => ({ answer, calls, ids: {} }) as unknown as End;
  expect(await check?.(end(proof(1, ...disclosed), proof(2, ...disclosed)))).toBe(isRight);
  expect(await check?.(end(proof(2, ...disclosed)))).toBe(false);
  expect(await check?.(end(proof(1, ...disclosed), proof(2, ...disclosed.slice(1))))).toBe(false);
});

test.each<[answer: string, isRight: boolean]>([
  ['You are on the Growth plan. Between 24 October and 23 November 2026 (30 days), nothing was used.', true],
  ['Plan: **growth**. Usage in the last 30 days: 0 requests, 0 tokens.', true],
  ['The plan is growth. There is no metered usage for the last 30 days: no calls, no messages.', true],
  ['The plan is growth. Nothing but 1,200 tokens was used.', false],
  ['The plan is growth. Requests: 12. Nothing else.', false],
  ['The plan is growth. The usage cannot be seen with this key, so nothing can be said.', false],
  ['The plan is starter. Nothing was used.', false],
])('reads the plan and that nothing was used: %s', async (answer, isRight) => {
  const get = async (route: string) => (route.endsWith('/usage') ? { points: [] } : { plan: 'growth' });
  const check = looks['Usage before the bill']?.check;
  expect(await check?.({ answer, get, ids: { project: 'p' } } as unknown as End)).toBe(isRight);
});

test.each<[answer: string, isRight: boolean]>([
  ['The practice is on the growth plan and made 1,234 requests with 56.5 seconds of speech.', true],
  ['The practice is on the growth plan and made 1234 requests.', false],
  ['The practice is on the growth plan and used nothing.', false],
])('reads every amount that was used: %s', async (answer, isRight) => {
  const points = [{ quantity: 1234 }, { quantity: 56.5 }, { quantity: 0 }];
  const get = async (route: string) => (route.endsWith('/usage') ? { points } : { plan: 'growth' });
  const check = looks['Usage before the bill']?.check;
  expect(await check?.({ answer, get, ids: { project: 'p' } } as unknown as End)).toBe(isRight);
});

test.each<[answer: string, isRight: boolean]>([
  [
    'Yes, that can be. It said so from 2026-11-23 13:05:10 UTC until 13:47 UTC that day. Today it says "Bye."',
    true,
  ],
  [
    'Yes. From November 23, 1:05 pm to November 23, 1:47 pm (UTC); since then the goodbye is "Bye." again.',
    true,
  ],
  [
    'Yes, on 23 November from 13:05 until 13:47. It cannot be ruled out that nobody rang then. It says “Bye.” now.',
    true,
  ],
  ['Yes, on 23 November from 13:05 on. It says "Thank you, bye." now.', false],
  ['Yes, on 23 November from 13:05 until 13:48. It says "Bye." now.', false],
  ['Yes, from 13:05 until 13:47. It says "Bye." now.', false],
  ['No. It was a draft from 23 November 13:05 until 13:47 and never live. It says "Bye." now.', false],
])('reads when a goodbye was live: %s', async (answer, isRight) => {
  const changes = [{ at: '2026-11-23T13:47:00.500Z' }, { at: '2026-11-23T13:05:10.000Z' }];
  const check = looks['Did callers ever hear this goodbye?']?.check;
  const get = async () => ({ changes });
  expect(await check?.({ answer, get, ids: { project: 'p' } } as unknown as End)).toBe(isRight);
});
