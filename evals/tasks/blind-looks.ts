import {
  about,
  callEnds,
  claims,
  denial,
  givesTime,
  hoursUntil,
  mentions,
  nothingAssigned,
  off,
  saysTogether,
  saysWithout,
} from '../answer.ts';
import type { Made, Solution } from '../task.ts';

const agents = /front desk|night line|summer campaign|clinic line|recall reminders/;
const notLive =
  /\bnot\b(?! (?:from )?"?8 (?:to|-) 6)|n't\b|never|\byet\b|draft|prepar|waiting|pending|inactive|unreleased|unpublished|newer|version [23]\b|shorter-start|new-billing/;
const newestFirst = /newest|latest|most recent|last first|backwards|reverse|descending/;
const waits =
  /wait|draft|prepar|pending|unreleased|unpublished|inactive|not (?:yet )?(?:live|active|released|published)|not been (?:released|activated)|version 2|\bv2\b/;
const handsOver =
  /2025550190|hand(?:s|ed|ing|ing them)?[ -]?(?:over|off)|handover|handoff|transfer|put(?:s|ting)? .{0,40}through|person|human/;

/** Blind tasks that ask for an answer and must change nothing: find, compare, prove and explain. */
export const looks: Readonly<Record<string, Solution>> = {
  'Where we promise insurance': {
    calls: [
      ['search_project', { text: 'insurance' }],
      ['list_phone_numbers', {}],
    ],
    answer: `Two agents mention insurance. Front desk says "Yes, every private insurance."; callers reach it today on
Main line, +1 202 555 0101. Whitening week says "No insurance pays for whitening."; it is on no phone number.`,
    wrong: { answer: 'Front desk says "Yes, every private insurance." Callers reach it on +12025550101.' },
    check({ answer }) {
      // The "No" of this line denies nothing about the agent.
      const rest = answer.replace(/no insurance pays for whitening/gi, 'the line');
      const whitening = about(rest, /whitening week/, agents);
      return (
        mentions(answer, /front desk/, /every private insurance/, /no insurance pays for whitening/) &&
        mentions(answer, /main line|2025550101/) &&
        (denial.test(whitening) || /unassigned|unreachable|\| ?- ?\|/.test(whitening)) &&
        !claims(rest, /whitening week/, /2025550101|main line|reach/) &&
        !claims(rest, /night line|summer campaign|clinic line|recall reminders/, /insurance/)
      );
    },
  },
  'Numbers where nobody answers': {
    calls: [['list_phone_numbers', {}]],
    answer: `Nobody would pick up on three numbers:
- Mobile: it is switched off, although Clinic line is assigned to it.
- Spare line: it is switched off, and nothing is assigned to it.
- Emergency line: it is switched on, but nothing is assigned to it.
Main line is answered by Front desk.`,
    wrong: {
      answer: `Mobile and Spare line are switched off, so nobody picks up. Nothing is assigned to Spare line either.
Main line is answered by Front desk. Emergency line is fine, because it is enabled.`,
    },
    check({ answer }) {
      const told = (number: RegExp) => about(answer, number, /mobile|spare line|emergency line|main line/);
      return (
        off.test(told(/mobile|2025550102/)) &&
        off.test(told(/spare line|2025550103/)) &&
        nothingAssigned.test(told(/spare line|2025550103/)) &&
        nothingAssigned.test(told(/emergency line|2025550104/)) &&
        !claims(answer, /emergency line/, /\bfine\b|\bok\b|is answered|works/) &&
        !claims(answer, /main line/, /unanswered|disabled|switched off/)
      );
    },
  },
  'What answered the main line': {
    calls: [
      ['list_phone_numbers', {}],
      ['list_changes', { resource: '$main' }],
    ],
    answer: `Main line was answered by Front desk first (since {2.changes.3.at}), then by Night line ({2.changes.2.at}),
then by Recall reminders ({2.changes.1.at}), and by Front desk again since {2.changes.0.at}. It is right again:
Front desk answers it now.`,
    wrong: { answer: 'It is right: Front desk answers Main line now, since {2.changes.0.at}.' },
    async check({ ids, get, answer }) {
      const since = `/v1/projects/${ids['project']}/changes?resource=${ids['main']}`;
      const { changes } = await get(since);
      const switches: Made[] = changes.filter(({ operation }: Made) => operation.startsWith('assign_'));
      return (
        (mentions(answer, /front desk.*night line.*recall reminders.*front desk/) ||
          mentions(answer, /front desk.*recall reminders.*night line.*front desk/, newestFirst)) &&
        switches.every(({ at }) => givesTime(answer, new Date(at))) &&
        saysTogether(
          answer,
          /front desk/,
          /now|today|current|again|\bback\b|present|still|since|correct|right/,
        ) &&
        !claims(answer, /clinic line|summer campaign/, /main line|answered/)
      );
    },
  },
  'What the longer hours would change': {
    calls: [
      ['list_conversation_versions', { conversationId: '$clinic' }],
      ['diff_designs', { conversationId: '$clinic', version: 2, against: 1 }],
      ['diff_designs', { conversationId: '$clinic', version: 3, against: 2 }],
    ],
    answer: `longer-hours changes one thing: callers who ask for the hours hear "We are open from 8 to 8." instead of
"We are open from 8 to 6." The other change, friendlier-goodbye (version 3), makes "Goodbye." into "Goodbye, and keep
smiling."`,
    wrong: {
      answer:
        'longer-hours makes the hours "8 to 8" instead of "8 to 6", and the goodbye "Goodbye, and keep smiling."',
    },
    check({ answer }) {
      const waiting = /longer-hours|^(?:the )?longer hours/;
      const other =
        /friendlier-goodbye|friendlier goodbye|version 3|\bv3\b|other (?:change|one|version)|on top/;
      return (
        mentions(answer, hoursUntil(6), hoursUntil(8)) &&
        /keep smiling/.test(about(answer, other, waiting)) &&
        !saysWithout(answer, other, waiting, /keep smiling/)
      );
    },
  },
  'Day and night side by side': {
    calls: [
      ['list_flow_versions', { flowId: '$front' }],
      ['list_flow_versions', { flowId: '$night' }],
    ],
    answer: `Live today, Front desk answers whether you take insurance ("Yes, every private insurance."), hands callers in
pain over to +1 (202) 555-0190, and ends with "Bye." Night line does none of this; its greeting adds that you are closed.
One change is waiting: version 2 of Night line would hand callers in pain over to the same number. Nothing is waiting for
Front desk.`,
    wrong: {
      answer: `Both hand callers in pain over to +12025550190 today. Front desk also answers whether you take insurance
and says "Bye."; Night line says that you are closed. No change is waiting.`,
    },
    check: ({ answer }) =>
      mentions(answer, /insurance/, /2025550190/, /\bbye\b/, /closed/) &&
      waits.test(about(answer, /night line/, /front desk/)) &&
      (saysTogether(answer, waits, handsOver) || saysTogether(answer, waits, /pain/)) &&
      !claims(answer, /\bboth\b/, handsOver) &&
      !claims(answer, /front desk/, /is waiting|has (?:a|one) (?:draft|waiting|pending)/),
  },
  'Is the shorter start safe': {
    calls: [
      ['list_conversation_versions', { conversationId: '$clinic' }],
      ['prove_design', { conversationId: '$clinic', version: [3, 1], properties: [greetedBeforeTransfer()] }],
    ],
    answer: `shorter-start breaks the rule, so I released nothing. A call that breaks it: the caller is asked at once what
they want, asks about a bill, and is put through to +1 202 555 0142 without having heard the greeting, which says that an
AI is speaking. The live version 1 keeps the rule.`,
    wrong: {
      answer: 'shorter-start is safe: the rule holds for every call, with billing too. I released it.',
    },
    check: ({ answer }) =>
      (mentions(answer, /breaks?\b|broke|violat|unsafe|fail/) ||
        saysTogether(answer, /\bnot\b|n't\b|\bno\b/, /safe|hold|keep|comply|satisf|guarante/)) &&
      mentions(
        answer,
        /\bbill/,
        /put(?:ting|s)? .{0,40}through|transfer|2025550142|connected/,
        /greet|\bai\b|disclos/,
      ) &&
      saysTogether(answer, /without|before|never|not|n't|skip|no /, /greet|\bai\b|disclos/) &&
      claims(
        answer,
        /\blive\b|version 1\b|\bv1\b|active|current|today/,
        /keeps?|holds?|compl|safe|fine|obey|pass|follow|satisf|meets?|respect|proved|proven|yes/,
      ) &&
      !claims(
        answer,
        /shorter-start|shorter start|version 3|\bi\b/,
        /is safe|(?:have |has been |was |i )(?:released|activated|put .*live)/,
      ),
  },
  'Phone number before the AI notice': {
    calls: [
      ['search_project', { text: 'phone number' }],
      ['list_phone_numbers', {}],
    ],
    answer: `Yes, one: Urgent desk, which callers reach on Urgent line, +1 202-555-0106. Waiting list asks for a phone
number too, but says first that it is the AI assistant.`,
    wrong: {
      answer:
        'No, all are fine: Clinic line and Recall reminders are proved to say first that they are an AI.',
    },
    check: ({ answer }) =>
      mentions(answer, /urgent desk/, /urgent line|2025550106/) &&
      !saysTogether(answer, /urgent desk/, /\bfine\b|complies/) &&
      !mentions(answer, /^no\b/) &&
      isCleared(about(answer, /waiting list/, /urgent desk|front desk|night line|summer|clinic|recall/)) &&
      !claims(answer, agents, /asks? .*(?:phone )?number/),
  },
  'What a caller with a bill goes through': {
    calls: [
      ['list_phone_numbers', {}],
      ['read_design', { conversationId: '$clinic', version: 'active' }],
    ],
    answer: `1. The caller hears "Hello, I am the AI assistant of Brook Street Dental."
2. The agent finds out what they want.
3. With a question about a bill they are put through to +1 202 555 0142.
4. If nobody picks up, they hear "Goodbye." and the call ends.
Somebody who asks for the opening hours hears "We are open from 8 to 6."`,
    wrong: {
      answer: `The caller hears the greeting of the AI assistant of Brook Street Dental, is asked what they want and is put
through to +12025550177. If that fails, they hear "Goodbye." and the call ends. The hours are 8 to 8.`,
    },
    check: ({ answer }) =>
      mentions(answer, /\bai\b/, /brook street/, /2025550142/, /goodbye/, hoursUntil(6)) &&
      mentions(answer, /\bwant|\bneed|\basks?\b|find(?:s|ing)? out|menu|reason|what .{0,30}about|help/) &&
      mentions(answer, callEnds) &&
      !saysWithout(answer, notLive, /2025550177/) &&
      !saysWithout(answer, notLive, hoursUntil(8)),
  },
};

/** Prove that nobody is put through before the greeting, which discloses the AI. */
function greetedBeforeTransfer() {
  return { property: 'alwaysBefore', always: { kind: 'greeting' }, before: { kind: 'transfer' } };
}

/** True if a text, unless it is empty, says that an agent says first that it is an AI. */
function isCleared(text: string): boolean {
  if (text === '') return true;
  const isFine = /\b(?:but|fine|okay|ok|complies|compliant|correctly|safe|ai)\b|disclos/;
  return isFine.test(text) && !/without|(?:\bnot|n't) (?:say|tell|disclose|mention|introduce)/.test(text);
}
