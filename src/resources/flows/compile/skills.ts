import { isObject } from '../../../design/value.ts';
import { skillOf } from '../../catalogue/skills.ts';
import { objectsOf } from '../../designs/greeting.ts';
import type { Compilation, FlowPlace } from './compilation.ts';
import { type Destination, destinationIn } from './destination.ts';
import { disclosed } from './opening.ts';
import type { Words } from './words.ts';

/** What the skills of a simple flow say about its calls. */
export interface Skills {
  readonly isOff: (key: string) => boolean;
  readonly maxTurns: number | undefined;
  readonly maxAttempts: number | undefined;
  readonly transfer: { readonly destination: Destination; readonly place: FlowPlace } | undefined;
  readonly mode: 'cold' | 'warm' | undefined;
  readonly consent: { readonly line: string; readonly place: FlowPlace } | undefined;
  readonly webhook: string | undefined;
  readonly sms: { readonly to: string | undefined; readonly text: string } | undefined;
}

interface EnabledSkill {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly place: FlowPlace;
}

/** Skills that do nothing without one of their settings, and what they then lack. */
const needed: Readonly<Record<string, readonly [setting: string, what: string]>> = {
  recordWithConsent: ['line', 'has no line that asks for consent'],
  callWebhooks: ['url', 'has no URL'],
  sendSms: ['text', 'has no text to send'],
};

/** Reads the list of skills; of two with the same key, the first counts. */
export function skillsIn(compilation: Compilation, list: unknown, words: Words): Skills {
  const enabled = new Map<string, EnabledSkill>();
  const off = new Set<string>();
  for (const [index, { key, enabled: isEnabled, settings }] of objectsOf(list)) {
    const place = ['skills', index];
    if (typeof key !== 'string' || !skillOf(key)) compilation.skip(place, 'Is no skill that Parley knows.');
    else if (enabled.has(key) || off.has(key)) compilation.skip(place, 'Is listed before.');
    else if (isEnabled === false) off.add(key);
    else enabled.set(key, { settings: isObject(settings) ? settings : {}, place });
  }
  const lookUp = enabled.get('lookUpData');
  if (lookUp) compilation.skip(lookUp.place, 'A simple flow does not say what to do with the response.');
  const textOf = (key: string, setting: string) => {
    const { settings, place } = enabled.get(key) ?? { settings: {}, place: [] };
    return compilation.text(settings[setting], [...place, 'settings', setting]);
  };
  for (const [key, [setting, what]] of Object.entries(needed)) {
    const skill = enabled.get(key);
    if (skill && textOf(key, setting) === undefined) compilation.skip(skill.place, `The skill ${what}.`);
  }
  const transfer = enabled.get('transferCalls');
  const destination = destinationIn(transfer?.settings['number']);
  const mode = transfer?.settings['mode'];
  const text = textOf('sendSms', 'text');
  return {
    isOff: (key) => off.has(key),
    maxTurns: countIn(enabled.get('answerQuestions')?.settings['maxTurns']),
    maxAttempts: countIn(enabled.get('collectDetails')?.settings['maxAttempts']),
    transfer: transfer && destination && { destination, place: transfer.place },
    mode: mode === 'warm' || mode === 'cold' ? mode : undefined,
    consent: consentIn(
      compilation,
      enabled.get('recordWithConsent'),
      textOf('recordWithConsent', 'line'),
      words,
    ),
    webhook: webhookIn(compilation, enabled.get('callWebhooks')),
    sms: text === undefined ? undefined : { to: textOf('sendSms', 'to'), text },
  };
}

function consentIn(
  compilation: Compilation,
  skill: EnabledSkill | undefined,
  line: string | undefined,
  words: Words,
): Skills['consent'] {
  if (!skill || line === undefined) return undefined;
  const asked = disclosed(line, words);
  if (asked !== undefined) return { line: asked, place: skill.place };
  compilation.skip([...skill.place, 'settings', 'line'], 'Does not say that an AI speaks.');
  return undefined;
}

function webhookIn(compilation: Compilation, skill: EnabledSkill | undefined): string | undefined {
  const url = skill?.settings['url'];
  if (!skill || typeof url !== 'string') return undefined;
  // A placeholder would let the caller choose who gets the answers.
  if (url.length <= 2_000 && !url.includes('{{') && /^https?:$/u.test(URL.parse(url)?.protocol ?? ''))
    return url;
  compilation.skip([...skill.place, 'settings', 'url'], 'Is no address with http or https, written out.');
  return undefined;
}

/** The bounds of `maxTurns` and `maxAttempts` in a design. */
function countIn(value: unknown): number | undefined {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 100 ? Number(value) : undefined;
}
