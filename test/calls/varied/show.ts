import { population, variedCaller } from './generate.ts';
import { playVaried, type ReaderName, readers } from './play.ts';

// node test/calls/varied/show.ts TEMPLATE READER [SEED] prints one call; without a seed, every caller who is not served.
const [, , template = '', reader = '', seed] = process.argv;
if (!readers.includes(reader as ReaderName)) throw new TypeError(`a reader is one of ${readers.join(', ')}`);
const seeds = seed === undefined ? Array.from({ length: population }, (_, index) => index) : [Number(seed)];
for (const one of seeds) {
  const { varied, lines, reasons } = await playVaried(variedCaller(template, one), reader as ReaderName);
  const { plan, opening, gives, style, troubles } = varied.axes;
  if (seed !== undefined)
    for (const { who, text } of lines) console.log(`${who}: ${text === '' ? '(silence)' : text}`);
  if (seed !== undefined || reasons.length > 0)
    console.log(
      `${one} | ${plan}, ${opening}, ${gives}, ${style}, ${troubles.join(' + ') || 'no trouble'} | ${reasons.join('; ') || 'served'}`,
    );
}
