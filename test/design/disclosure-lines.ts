import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ruleOnDisclosure } from '../../src/design/disclosure/rule.ts';

/** A line of the blind set, and whether it discloses. */
interface Line {
  readonly line: string;
  readonly discloses: boolean;
  readonly why: string;
}

/** What the rule makes of the lines of one language. */
export interface Measured {
  readonly code: string;
  readonly disclosing: number;
  readonly undisclosed: number;
  /** Lines that disclose and are refused, with the rule's reason. */
  readonly refused: readonly string[];
  /** Lines that do not disclose and pass. */
  readonly passing: readonly string[];
}

const folder = path.join(import.meta.dirname, 'disclosure-lines');

/** The languages of the blind set. */
export const lineCodes = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => path.basename(name, '.json'))
  .toSorted();

/** Rules on every line of a language. */
export function measure(code: string): Measured {
  const lines = JSON.parse(readFileSync(path.join(folder, `${code}.json`), 'utf8')) as readonly Line[];
  const ruled = lines.map((line) => ({ ...line, ruling: ruleOnDisclosure(line.line) }));
  const told = ruled.map(({ line, discloses, ruling }) => ({
    discloses,
    wrong: ruling.discloses !== discloses,
    text: `${line} (${ruling.reason})`,
  }));
  const disclosing = told.filter(({ discloses }) => discloses);
  const undisclosed = told.filter(({ discloses }) => !discloses);
  return {
    code,
    disclosing: disclosing.length,
    undisclosed: undisclosed.length,
    refused: disclosing.filter(({ wrong }) => wrong).map(({ text }) => text),
    passing: undisclosed.filter(({ wrong }) => wrong).map(({ text }) => text),
  };
}
