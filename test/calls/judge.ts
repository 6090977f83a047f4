import { type Caller, containsOne, type Ending, type Line, type PlayedCall } from './caller.ts';

/** Why a caller is not served, each in a short text. */
export function reasonsAgainst(caller: Caller, call: PlayedCall): string[] {
  const { served } = caller;
  const ending = endingOf(caller, call);
  const reasons: string[] = [];
  if (!(ending === served.ending || (served.ending === 'answered' && ending === 'taken')))
    reasons.push(`ending: ${ending}, not ${served.ending}`);
  for (const topic of served.kept) reasons.push(...lossesOf(caller, call, topic));
  const agent = call.lines
    .filter(({ who }) => who === 'agent')
    .map(({ text }) => text)
    .join(' ');
  for (const words of served.hears ?? [])
    if (!containsOne(agent, words)) reasons.push(`not said: ${words[0]}`);
  reasons.push(...unansweredIn(caller, call.lines));
  return reasons;
}

/** How the call ended for the caller. */
function endingOf(
  caller: Caller,
  { ended, requests, lines }: PlayedCall,
): Ending | 'hung up' | 'given up' | 'failed' {
  const last = lines.findLastIndex(({ who }) => who === 'caller');
  const words = lines
    .slice(last + 1)
    .map(({ text }) => text)
    .join(' ');
  const isMessage = requests.some((request) => request.block === 'sendSms' || request.block === 'webhook');
  const isAfterHours = caller.agent === 'after-hours';
  if (ended?.reason === 'transferred') return isAfterHours ? 'emergency' : 'transferred';
  if (
    isAfterHours &&
    requests.some((request) => request.block === 'sendSms' && request.message.startsWith('EMERGENCY'))
  )
    return 'emergency';
  if (ended?.reason === 'hungUp') return 'hung up';
  if (ended?.reason !== 'completed') return 'failed';
  if (/(?:couldn't|could not|wasn't able to|unable to) /i.test(words)) return 'given up';
  if (caller.served.ending === 'ended')
    return isMessage && caller.agent !== 'support-call-log' ? 'taken' : 'ended';
  return isMessage ? 'taken' : 'answered';
}

/** Values in the variables, and in the messages that left. */
function lossesOf(caller: Caller, { variables, requests, isCorrected }: PlayedCall, topic: string): string[] {
  const fact = caller.facts.find((one) => one.topic === topic);
  const { correction } = caller;
  const sent = requests.flatMap((request) =>
    request.block === 'sendSms'
      ? [request.message]
      : request.block === 'webhook'
        ? [JSON.stringify(request.body)]
        : [],
  );
  const records = [...Object.values(variables).map(String), ...sent];
  if (correction?.topic !== topic) {
    const isKept = records.some((record) => containsOne(record, fact?.value ?? []));
    return isKept ? [] : [`not kept: ${topic}`];
  }
  const forms = isCorrected ? correction.value : [...(fact?.value ?? []), ...correction.value];
  const losses = records.some((record) => containsOne(record, forms)) ? [] : [`not kept: ${topic}`];
  // The caller names the old form when correcting it.
  const withoutDenial = (record: string) =>
    record.replaceAll(correction.says, '').replaceAll(/,? (?:and )?not [^.,;]+/gi, '');
  const isOld = records.some((record) => containsOne(withoutDenial(record), correction.not));
  return isCorrected && isOld ? [...losses, `kept in the old form: ${topic}`] : losses;
}

const asksWhatAgentIs = /robot|real person|human|recording|machine|computer|software|\bbot\b|live person/i;

/** Questions and silences that the agent's very next words do not answer. */
function unansweredIn({ opening, interjections = [], served }: Caller, lines: readonly Line[]): string[] {
  const isAi = served.hears?.find((words) => words.includes('AI'));
  const questions = [
    ...(isAi && asksWhatAgentIs.test(opening) ? [[opening, isAi] as const] : []),
    ...interjections.map(({ says, then }) => [says, then] as const),
  ];
  return questions.flatMap(([says, then]) => {
    const at = lines.findIndex(({ who, text }) => who === 'caller' && text === says);
    if (at < 0) return [];
    const next = lines.findIndex(({ who }, index) => index > at && who === 'caller');
    const words = lines
      .slice(at + 1, next < 0 ? undefined : next)
      .map(({ text }) => text)
      .join(' ');
    return then.length === 0 || containsOne(words, then) ? [] : [`not answered: "${says.slice(0, 40)}"`];
  });
}
