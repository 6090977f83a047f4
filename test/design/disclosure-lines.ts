import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ruleOnDisclosure } from '../../src/design/disclosure/rule.ts';

/** A line of a set, and whether it discloses. */
interface Line {
  readonly line: string;
  readonly discloses: boolean;
  readonly why: string;
}

/** The rule's rulings on the lines of one language. */
export interface Measured {
  readonly code: string;
  readonly disclosing: number;
  readonly undisclosed: number;
  /** Lines that disclose and that the rule rejects, with its reason. */
  readonly refused: readonly string[];
  /** Lines that do not disclose and that the rule accepts. */
  readonly passing: readonly string[];
}

/**
 * Rules on every line of a set, language by language: the one with which the rule was tuned, or the one that was
 * written when it was done.
 */
export function measureSet(set: 'disclosure-lines' | 'disclosure-lines-second'): Measured[] {
  const folder = path.join(import.meta.dirname, set);
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names.toSorted().map((name) => measure(path.join(folder, name)));
}

function measure(file: string): Measured {
  const code = path.basename(file, '.json');
  const lines = JSON.parse(readFileSync(file, 'utf8')) as readonly Line[];
  const ruled = lines.map((line) => ({ ...line, ruling: ruleOnDisclosure(line.line) }));
  const rulings = ruled.map(({ line, discloses, ruling }) => ({
    discloses,
    wrong: ruling.discloses !== discloses,
    text: `${line} (${ruling.reason})`,
  }));
  const disclosing = rulings.filter(({ discloses }) => discloses);
  const undisclosed = rulings.filter(({ discloses }) => !discloses);
  return {
    code,
    disclosing: disclosing.length,
    undisclosed: undisclosed.length,
    refused: disclosing.filter(({ wrong }) => wrong).map(({ text }) => text),
    passing: undisclosed.filter(({ wrong }) => wrong).map(({ text }) => text),
  };
}
