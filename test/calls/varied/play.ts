import { CallDriver } from '../../../src/calls/call-driver.ts';
import type { OutwardEffect } from '../../../src/calls/call-state.ts';
import { isOver } from '../../../src/calls/engine.ts';
import type { Design } from '../../../src/design/schema/design.ts';
import { filledDesign } from '../../../src/resources/catalogue/fill.ts';
import { templateOf } from '../../../src/resources/catalogue/templates/index.ts';
import { type AskIfAllowed, settle } from '../../../src/resources/effects/settle.ts';
import { containsOne, type Line, type PlayedCall } from '../caller.ts';
import { agentWords, callerPhone, Voice } from '../callers.ts';
import { reasonsAgainst } from '../judge.ts';
import type { VariedCaller } from './generate.ts';
import { competentModel, faultyModel } from './stand-in.ts';

/** What reads the caller. */
export const readers = ['rule', 'model', 'faulty model'] as const;
export type ReaderName = (typeof readers)[number];

export interface VariedCall {
  readonly varied: VariedCaller;
  readonly lines: readonly Line[];
  /** Reasons against the call. Empty: the caller is served, and did not have to say anything twice. */
  readonly reasons: readonly string[];
  readonly saidTwice: readonly string[];
}

const mostTurns = 30;
const secondsOfTurn = 8;

/** Plays a caller against the template that it calls, turn by turn, as a telephone call is settled. */
export async function playVaried(varied: VariedCaller, reader: ReaderName): Promise<VariedCall> {
  const design = designOf(varied.caller.agent);
  const { caller } = varied;
  const voice = new Voice(caller);
  const driver = CallDriver.start(design, {
    channel: 'phone',
    system: {
      callerPhone: callerPhone(caller),
      callLanguage: 'en',
      callStartedAt: '2026-11-24T10:00:00.000Z',
    },
  });
  const outside = {
    pause: () => Promise.resolve(),
    search: () => Promise.resolve(new Map<string, readonly string[]>()),
    ask: asking(varied, reader),
    perform: (effect: OutwardEffect) => Promise.resolve(performed(effect, varied)),
    handOver: () =>
      Promise.resolve(varied.isNobodyFree ? { failed: 'nobody is free' } : { result: true as const }),
  };
  const lines: Line[] = [];
  let seen = 0;
  const settleTurn = async (silent = false) => {
    await settle(driver, outside);
    if (silent) lines.push({ who: 'caller', text: '' });
    lines.push(...driver.transcript.slice(seen).map(({ who, text }) => ({ who, text })));
    seen = driver.transcript.length;
  };
  await settleTurn();
  for (let turn = 1; turn <= mostTurns && !isOver(driver.state); turn++) {
    const says = voice.next(turn, agentWords(lines));
    if (says === undefined) driver.hangUp(turn * secondsOfTurn);
    else driver.hear(says === '' ? null : says, turn * secondsOfTurn);
    await settleTurn(says === '');
  }
  if (!isOver(driver.state)) {
    driver.hangUp((mostTurns + 1) * secondsOfTurn);
    await settleTurn();
  }
  const { ended, variables } = driver.state;
  const call = { lines, ended, variables, requests: driver.requests, isCorrected: voice.isCorrected };
  const saidTwice = [...voice.saidTwice];
  return { varied, lines, saidTwice, reasons: [...reasonsOf(varied, call), ...saidTwice.map(again)] };
}

const again = (topic: string) => `asked again: ${topic}`;

const designs = new Map<string, Design>();

function designOf(key: string): Design {
  const known = designs.get(key);
  if (known) return known;
  const template = templateOf(key);
  if (!template) throw new TypeError(`there is no template ${key}`);
  const design = filledDesign(template, {});
  designs.set(key, design);
  return design;
}

function asking(varied: VariedCaller, reader: ReaderName): AskIfAllowed | undefined {
  if (reader === 'rule') return undefined;
  return reader === 'model' ? competentModel(varied) : faultyModel(varied);
}

/** Every request succeeds. A look-up finds an order if the shop knows the number. */
function performed({ kind, ...effect }: OutwardEffect, { isKnownNumber }: VariedCaller) {
  if (kind !== 'request') return { result: null };
  const isLookUp = 'block' in effect && effect.block === 'fetch';
  const order = { number: '48213', status: 'shipped', delivery: 'Friday' };
  return { result: { status: 200, body: JSON.stringify(isLookUp && isKnownNumber ? order : {}) } };
}

function reasonsOf(varied: VariedCaller, call: PlayedCall): string[] {
  const { caller, leaving, expected } = varied;
  const hasLeft = leaving && call.lines.some(({ who, text }) => who === 'caller' && text === leaving.says);
  const tried = (hasLeft ? leaving.expected : expected).map((served) => [
    ...reasonsAgainst({ ...caller, served }, call),
    ...inexact(varied, call, served.kept),
  ]);
  const [first = [], ...others] = tried;
  return others.find((reasons) => reasons.length === 0) ?? first;
}

/** Characters from which a form may be part of a longer value. */
const tellingLength = 5;

/** What is noted, but not to the letter, and what the caller took back. */
function inexact(
  { spoken, corrects }: VariedCaller,
  { variables, isCorrected }: PlayedCall,
  kept: readonly string[],
): string[] {
  const records = Object.values(variables).map((value) =>
    (typeof value === 'string' ? value : JSON.stringify(value)).toLowerCase(),
  );
  const holds = (forms: readonly string[] = []) =>
    forms
      .map((form) => form.toLowerCase())
      .some((form) =>
        records.some((record) => record === form || (form.length >= tellingLength && record.includes(form))),
      );
  return kept.flatMap((topic) => {
    const fact = spoken.find((one) => one.topic === topic);
    const isChanged = corrects?.from.topic === topic && isCorrected;
    const exact = isChanged ? corrects.to.exact : fact?.exact;
    const wrong = exact && !holds(exact) ? [`not kept to the letter: ${topic}`] : [];
    const isTakenBack =
      corrects?.from.topic === topic &&
      corrects.isWithin &&
      records.some((record) => containsOne(record, [corrects.from.written]));
    return isTakenBack ? [...wrong, `kept in the old form: ${topic}`] : wrong;
  });
}
