import { playAgainstTemplate, readCallers } from './callers.ts';

// node test/calls/show-caller.ts 1|3|4|5 "name of the caller" prints one call; without a name, every caller who is not served.
const [, , set, name] = process.argv;
// Nobody reads set 2, which measures what was learnt from the others.
const shown = ([1, 3, 4, 5] as const).find((one) => String(one) === set);
if (shown === undefined)
  throw new TypeError('usage: node test/calls/show-caller.ts 1|3|4|5 ["name of the caller"]');
const callers = readCallers(shown).filter((caller) => name === undefined || caller.name === name);
if (callers.length === 0) throw new TypeError(`there is no caller ${name}`);
for (const caller of callers) {
  const { lines, reasons, saidTwice } = playAgainstTemplate(caller);
  if (name !== undefined)
    for (const { who, text } of lines) console.log(`${who}: ${text === '' ? '(silence)' : text}`);
  if (name !== undefined) console.log(`said twice: ${saidTwice.join(', ') || 'nothing'}`);
  if (name !== undefined || reasons.length > 0)
    console.log(`${caller.name} | ${reasons.join('; ') || 'served'}`);
}
