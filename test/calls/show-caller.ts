import { playAgainstTemplate, readCallers } from './callers.ts';

// node test/calls/show-caller.ts 1|3 "name of the caller" prints one call; without a name, every caller who is not served.
const [, , set, name] = process.argv;
if (set !== '1' && set !== '3')
  throw new TypeError('usage: node test/calls/show-caller.ts 1|3 ["name of the caller"]');
const callers = readCallers(set === '1' ? 1 : 3).filter(
  (caller) => name === undefined || caller.name === name,
);
if (callers.length === 0) throw new TypeError(`there is no caller ${name}`);
for (const caller of callers) {
  const { lines, reasons, saidTwice } = playAgainstTemplate(caller);
  if (name !== undefined)
    for (const { who, text } of lines) console.log(`${who}: ${text === '' ? '(silence)' : text}`);
  if (name !== undefined) console.log(`said twice: ${saidTwice.join(', ') || 'nothing'}`);
  if (name !== undefined || reasons.length > 0)
    console.log(`${caller.name} | ${reasons.join('; ') || 'served'}`);
}
