import {
  callEnds,
  claims,
  denial,
  givesDay,
  givesMinute,
  hoursUntil,
  mentions,
  nothingAssigned,
  off,
  plain,
  saysTogether,
  saysWithout,
  tellsChange,
} from '../answer.ts';
import { hadProved, isPlace } from '../proofs.ts';
import { type Names, readings } from '../readings.ts';
import { isSet, routeOf } from '../records.ts';
import type { Made, Solution } from '../task.ts';

const unit =
  '(?:requests?|tokens?|characters?|chars|seconds?|minutes?|hours?|calls?|messages?|queries|query)';
/** A number above 0 of something that is counted; `30 days` is none. */
const amount = new RegExp(
  `(?<![\\d.,])(?!0+(?:[.,]0+)?\\b)\\d[\\d.,]*(?: (?!days?\\b)[a-z_]+){0,2} ${unit}\\b|\\b${unit}(?: [a-z]+)?(?: ?[:=|]| -) ?(?!0+(?:[.,]0+)?\\b)\\d`,
);

const numbers: Names = {
  recall: /recall desk|2025550106/,
  spare: /spare line|2025550103/,
  main: /main line|2025550101/,
  mobile: /\bmobile\b|2025550102/,
};

const live = /\blive\b|\bversion 1\b|\bv1\b|\bactive\b|\bnow\b|\btoday\b|\bcurrent/;
const notLive = /\b(?:not|n't|never) (?:yet )?live|prepar|draft|newest|latest|waiting/;

/** Texts that say how long something stays as it is; a version that they name is not meant. */
const meanwhile =
  /^\W*(?:until|unless)\b|\b(?:until|unless)\b.*(?:activat|\blive\b|publish)|\b(?:as|so) long as\b.*(?:\bnot\b|n't\b)/;

const proves =
  /guarantee|\bholds?\b|\byes\b|impossible|\bproved\b|\bproven\b|keeps?\b|\bsafe\b|\btrue\b|satisf|compl(?:y|ies)|certain|\bfine\b|\bno (?:possible |such )?call(?:er)?\b|\b(?:nobody|no one) can\b|\b(?:cannot|can't|never) (?:be|reach|get|go|come|happen)/;
const disproves =
  /(?:\bnot|n't|cannot|no longer)\b(?: [a-z]+){0,3} (?:guarantee|hold|prevent|exclude|keep|satisf|safe|impossible|prov|compl|true|certain)|(?:does|do|is|would)(?: not|n't)\W*$|(?:could|can) ?n[o']t be proved|unprov|\bbreaks?\b|\bbroken\b|violat|\bfails?\b|(?<!\b(?:nobody|no one|no caller|no call) )\bcan (?:still |again |then |now )?(?:be|reach|get|go|come|return)\b(?! (?:to )?(?:an|its|the) end)|(?:cannot|can't|never) (?:(?:come|get) to|reach) (?:an|its|the) end|\bpossible\b(?<!\bno possible)(?! call)|\ballows?\b|: no\b/;

/** Texts that say that callers do not hear the opening hours; that nobody picks up says nothing about them. */
const deniesHours =
  /(?:\bnot|n't|\bnever|\bno longer|\bnor|\bneither|\binstead of|\brather than|\bwithout)\b(?:(?!pick|answer|reach)[^,;]){0,30}(?:hear|told|hours|we are open)/;

/** Blind tasks of the second author that ask for an answer: find, compare, prove and explain. */
export const looks: Readonly<Record<string, Solution>> = {
  'Usage before the bill': {
    calls: [
      ['get_project', {}],
      ['get_project_usage', {}],
    ],
    answer: 'The practice is on the plan {1.plan}. In the last 30 days it used nothing.',
    wrong: {
      answer: 'The plan is enterprise. In the last 30 days the practice used 1,200 tokens in 14 calls.',
    },
    async check(end) {
      const { answer } = end;
      const { plan } = await end.get(`/v1/projects/${end.ids['project']}`);
      const { points } = await end.get(routeOf(end, 'usage'));
      const used: number[] = points
        .map(({ quantity }: Made) => quantity)
        .filter((quantity: number) => quantity > 0);
      const isUsageGiven =
        used.length === 0
          ? mentions(
              answer,
              /\bnothing\b|\bnone\b|\bno (?:[a-z]+ ){0,2}usage\b|\bnot (?:been )?used\b|n't used\b|\bzero\b|\b0\b/,
            ) && !amount.test(plain(answer))
          : used.every((quantity) =>
              plain(answer)
                .replace(/(?<=\d),(?=\d{3})/g, '')
                .includes(String(quantity)),
            );
      return (
        mentions(answer, new RegExp(`\\b${plan}\\b`)) &&
        isUsageGiven &&
        !mentions(
          answer,
          /(?:cannot|can't|could not|couldn't|unable to|not able to) (?:be )?(?:seen|read|see (?!any)|determine|tell|access|check|view|retrieve)|not available|unavailable/,
        )
      );
    },
  },
  'Numbers that nobody answers': {
    calls: [['list_phone_numbers', {}]],
    answer: `Two numbers would let a caller down:
- Spare line (+1 202-555-0103): it is switched off, and nothing is assigned to it.
- Recall desk (+1 202-555-0106): it is enabled, but nothing is assigned to it.`,
    wrong: {
      answer: 'Only Spare line, +12025550103: it is switched off and nothing is assigned to it.',
    },
    check: ({ answer }) =>
      isSet(
        [
          ...readings(answer, [numbers], { unassigned: nothingAssigned }),
          ...readings(
            answer,
            [numbers],
            { off },
            /(?:\bnot|n't|\bnor|\bneither|\bnever) (?:[a-z]+ ){0,2}(?:off|disabled|deactivated|inactive)/,
          ),
        ],
        ['spare unassigned', 'recall unassigned', 'spare off'],
      ) && !claims(answer, /main line|\bmobile\b/, /unanswered|let .*down|rings? out/),
  },
  'What the prepared Clinic line would change': {
    calls: [['diff_designs', { conversationId: '$clinic' }]],
    answer: `Two things would be different:
- The opening hours: today "We are open from 8 to 6.", then "We are open from 8 to 8."
- The last line: today "Goodbye.", then "Goodbye and stay healthy."
Nothing else changes, and I put nothing live.`,
    wrong: {
      answer: 'Only the goodbye would be different: "Goodbye and stay healthy." instead of "Goodbye."',
    },
    check: ({ answer }) =>
      tellsChange(answer, hoursUntil(6), hoursUntil(8)) &&
      tellsChange(answer, /goodbye["'.]/, /goodbye and stay healthy/) &&
      !saysWithout(
        answer,
        new RegExp(`${denial.source}|same|stays?\\b|remain|identical|unchanged|goodbye|last line|8 (?:to|-)`),
        /greeting|\bmenu\b|billing|transfer/,
        /\bchang|differ|\bnew\b|instead|becomes?/,
      ),
  },
  'Pain and bills on two numbers': {
    calls: [
      ['list_phone_numbers', {}],
      ['get_flow', { flowId: '$front' }],
      ['read_design', { conversationId: '$clinic', version: 'active' }],
    ],
    answer: `Main line, in pain: put through to +1 202 555 0190.
Main line, bill: not put through.
Mobile, in pain: not put through.
Mobile, bill: put through to +1 202 555 0142.`,
    wrong: {
      answer: `Main line: callers in pain are put through to +12025550190, callers with a bill to nobody.
Mobile: callers in pain are put through to +12025550190, callers with a bill to +12025550142.`,
    },
    check: ({ answer }) =>
      isSet(
        [
          ...readings(
            answer,
            [
              { main: /main line|2025550101|front desk/, mobile: /\bmobile\b|2025550102|clinic line/ },
              { pain: /\bpain|toothache|\bhurts?\b/, bill: /\bbill|invoice/ },
            ],
            {
              nobody: /\bnot\b|n't\b|\bno\b(?! other)|nobody|no one|nowhere|never|\bnone\b|: -\.?$/,
              '0190': /2025550190/,
              '0142': /2025550142/,
            },
            /\bchang|\bplay(?:ed)?\b|(?:pick|answer)s? up|^ *(?:if|unless|when) (?:nobody|no one|.*(?:fail|answer))/,
          ),
        ],
        ['main pain 0190', 'main bill nobody', 'mobile pain nobody', 'mobile bill 0142'],
      ),
  },
  'It says that it is an AI, live and prepared': {
    calls: [['prove_design', { conversationId: '$clinic' }]],
    answer: `It is proved for both:
- Live (version 1): it holds. Every possible call says that an AI speaks before anybody is put through, and can end.
- Prepared (version 2, longer-hours): it holds as well.`,
    wrong: { calls: [['prove_design', { conversationId: '$clinic', version: 'newest' }]] },
    check(end) {
      const told = readings(
        end.answer,
        [
          {
            prepared: /version 2\b|\bv2\b|longer[- ]hours/,
            unreleased: notLive,
            live,
            both: /\bboth\b|\beach\b/,
          },
        ],
        { fails: disproves, holds: proves },
        /\b(?:if|when|even|unless)\b(?!.*\blive\b)|transfer fails|\bchang/,
      );
      return (
        hadProved(end, [1, 2], proveDisclosureAndEnd) &&
        ![...told].some((verdict) => verdict.endsWith(' fails')) &&
        (told.has('both holds') ||
          (told.has('live holds') && (told.has('prepared holds') || told.has('unreleased holds'))))
      );
    },
  },
  'No billing after the opening hours': {
    calls: [['prove_design', { conversationId: '$clinic', properties: [noBillingAfterHours()] }]],
    answer: `What is live now (version 1) guarantees it. The latest prepared version (3, back-to-menu) does not. The
shortest such call: the greeting, the menu, the opening hours, the menu again, then billing.`,
    wrong: {
      calls: [['prove_design', { conversationId: '$clinic' }]],
      answer: 'Both guarantee it: the live version (1) holds, and the prepared one (3, back-to-menu) holds.',
    },
    check(end) {
      const told = readings(
        end.answer,
        [
          {
            meanwhile,
            prepared: /version 3\b|\bv3\b|back-to-menu/,
            older: /version 2\b|\bv2\b|longer-hours/,
            unreleased: notLive,
            live,
            both: /\bboth\b|\beach\b/,
          },
        ],
        { fails: disproves, holds: proves },
      );
      const isTold = (version: string, verdict: string) => told.has(`${version} ${verdict}`);
      return (
        hadProved(end, [1, 3], (properties) => properties.some(isNoBillingAfterHours)) &&
        isTold('live', 'holds') &&
        (isTold('prepared', 'fails') || isTold('unreleased', 'fails')) &&
        ![
          'live fails',
          'meanwhile fails',
          'prepared holds',
          'unreleased holds',
          'both holds',
          'both fails',
        ].some((wrong) => told.has(wrong)) &&
        mentions(
          end.answer,
          /\bhours\b.*(?:\bmenu\b|what (?:they|the caller|he|she) wants?|\basked again\b|\bchoose).*\bbill/,
        )
      );
    },
  },
  'Did callers ever hear this goodbye?': {
    calls: [
      ['list_flow_versions', { flowId: '$front' }],
      ['list_changes', { resource: '$front', operation: 'activate_flow_version' }],
    ],
    answer: `Yes. "Thank you, bye." was live from {2.changes.1.at} until {2.changes.0.at} (UTC). Now it says "Bye."`,
    wrong: {
      answer: 'No, nobody ever heard it: that version is a draft. It says "Bye." since {2.changes.1.at}.',
    },
    async check(end) {
      const { answer } = end;
      const { changes } = await end.get(`${routeOf(end, 'changes')}?operation=activate_flow_version`);
      const [back, away]: Made[] = changes;
      const isGiven = ({ at }: Made) => givesDay(answer, new Date(at)) && givesMinute(answer, new Date(at));
      return (
        isGiven(away) &&
        isGiven(back) &&
        mentions(
          answer,
          /\byes\b|can be\b|is right|was (?:live|active|said|heard)|did\b|heard|correct|true/,
        ) &&
        saysTogether(
          answer,
          /\bnow\b|today|current|since|again|present|\bback\b|at the moment/,
          /(?<!thank you, )\bbye\b/,
        ) &&
        !mentions(
          answer,
          /^no\b|never (?:been |was |went )?(?:live|active|said|heard)|nobody (?:ever |has ever )?heard|no caller (?:ever |has ever )?heard|(?:that|it|this) cannot be\b(?! (?:ruled|excluded))/,
        ) &&
        !claims(answer, /thank you, bye/, /\bis (?:still |now )?(?:live|active|said)|still says|now says/)
      );
    },
  },
  'When billing does not pick up': {
    calls: [
      ['list_phone_numbers', {}],
      [
        'simulate_conversation',
        {
          conversationId: '$clinic',
          version: 'active',
          caller: { script: [{ text: 'It is about my bill.', understood: { option: 'billing' } }] },
          mocks: { transfers: 'fail' },
        },
      ],
    ],
    answer: `1. The caller hears "Hello, I am the AI assistant of Brook Street Dental."
2. They say that it is about a bill and are put through to +1 202 555 0142.
3. Nobody picks up there, so they hear "Goodbye." and the call ends.`,
    wrong: {
      answer: `The caller hears "Hello, I am the AI assistant of Brook Street Dental." and is put through to
+12025550142. If billing does not pick up, they hear "We are open from 8 to 6.", then "Goodbye.", and the call ends.`,
    },
    check: ({ answer }) =>
      mentions(
        answer,
        /hello, i am the ai assistant of brook street dental\..*2025550142.*goodbye\./,
        callEnds,
      ) &&
      !saysWithout(answer, deniesHours, hoursUntil(6)) &&
      !saysWithout(answer, deniesHours, hoursUntil(8)) &&
      !saysWithout(answer, new RegExp(`${denial.source}|main line|front desk|\\bpain\\b`), /2025550190/),
  },
};

/** Prove that nobody who has heard the opening hours is put through to billing. */
function noBillingAfterHours() {
  return { property: 'neverAfter', never: { step: 'billing' }, after: { step: 'hours' } };
}

function isNoBillingAfterHours({ property, never, after }: Made): boolean {
  return (
    property === 'neverAfter' && isPlace(never, 'billing', 'transfer') && isPlace(after, 'hours', 'message')
  );
}

/** True if properties say that every call can end, and discloses the AI before it puts anybody through. */
function proveDisclosureAndEnd(properties: readonly Made[]): boolean {
  const discloses = ({ property, always, before }: Made) =>
    property === 'disclosedFirst' ||
    property === 'disclosedBeforeCollecting' ||
    (property === 'alwaysBefore' &&
      isPlace(always, 'hello', 'greeting') &&
      isPlace(before, 'billing', 'transfer'));
  return properties.some(({ property }) => property === 'everyPathEnds') && properties.some(discloses);
}
