import { commandExit } from '../design/exits.ts';
import type { Command } from '../design/schema/design.ts';
import { isObject } from '../design/value.ts';
import type { Call } from './call.ts';
import { commandWith } from './commands.ts';
import type { Json } from './json-value.ts';
import { linesIn } from './lines.ts';
import { consentIn, optionIn, valuesIn } from './understood.ts';

/** What a caller says in passing while answering: "That's right, thanks, bye." */
const inPassing: ReadonlySet<string> = new Set(['stop', 'swearing', 'repeat']);

/**
 * The command that the caller gives in a turn. Returns undefined if the design has no command with this id, if the call is
 * already at the step to which it leads, or if the caller answers and says the words of the command in passing.
 */
export function commandOf({ design, here }: Call, id: string, result: Json | undefined): Command | undefined {
  const command = commandWith(id, design);
  return command?.next?.step === here || (inPassing.has(id) && answers(result)) ? undefined : command;
}

/** True if a turn answers what the step has asked. A refusal may be part of a command. */
export function answers(result: Json | undefined): boolean {
  return agreesToReadBack(result) || optionIn(result) !== null || Object.keys(valuesIn(result)).length > 0;
}

/** "That's right, thanks, bye" agrees with what was read back. A "bye" does not agree to a recording. */
function agreesToReadBack(result: Json | undefined): boolean {
  return consentIn(result) === true && isObject(result) && 'values' in result;
}

/** Does what a caller has asked for. Returns false if the step has to go on. */
export function obeys(call: Call, id: string, { line, next }: Command): boolean {
  call.command(id);
  if (id === 'repeat' && line === undefined) {
    // The question that the step waits on is part of what is said again.
    if (call.repeat() && next === undefined) {
      call.listen();
      return true;
    }
  } else call.say(line ?? (id === 'human' ? linesIn(call.language).human : undefined));
  if (next?.step !== undefined) call.leaveToStep(commandExit(id), next.step, `the caller asked for ${id}`);
  else if (next?.end === true || (id === 'stop' && next === undefined)) call.end('completed');
  else return false;
  return true;
}
