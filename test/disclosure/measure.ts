import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ruleOnDisclosure } from '../../src/disclosure/index.ts';

/** A line of a set, and whether it discloses. */
interface Line {
  readonly line: string;
  readonly discloses: boolean;
}

interface ThirdLine {
  readonly language: string;
  readonly text: string;
  readonly discloses: boolean;
}

/** The rule's rulings on the lines of one language. */
export interface Measured {
  readonly code: string;
  readonly disclosing: number;
  readonly undisclosed: number;
  /** Lines that disclose and that the rule rejects, with its reason. */
  readonly refused: readonly string[];
  /** Those of them in which the rule finds an AI: the others say chatbot, or nothing that it takes for one. */
  readonly refusedNamingAi: readonly string[];
  /** Lines that do not disclose and that the rule accepts. */
  readonly passing: readonly string[];
}

const sets = ['lines', 'lines-second', 'lines-third'] as const;

/**
 * Rules on every line of a set, language by language: the one with which the rule was tuned, and two that were written
 * when it was done.
 */
export function measureSet(set: (typeof sets)[number]): Measured[] {
  return linesOf(set).map(({ code, lines }) => measure(code, lines));
}

/** The lines of all sets, by the code of their language. */
export function allLines(): { readonly code: string; readonly lines: readonly Line[] }[] {
  return sets.flatMap(linesOf);
}

function linesOf(set: (typeof sets)[number]): { code: string; lines: Line[] }[] {
  const folder = path.join(import.meta.dirname, set);
  if (set === 'lines-third') return thirdLines(read(path.join(folder, 'lines.json')) as ThirdLine[]);
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names
    .toSorted()
    .map((name) => ({ code: path.basename(name, '.json'), lines: read(path.join(folder, name)) as Line[] }));
}

/** The lines of the third set, which are one list as their author wrote them. */
function thirdLines(lines: readonly ThirdLine[]) {
  const linesIn = (code: string) =>
    lines
      .filter(({ language }) => language === code)
      .map(({ text, discloses }) => ({ line: text, discloses }));
  const codes = [...new Set(lines.map(({ language }) => language))].toSorted();
  return codes.map((code) => ({ code, lines: linesIn(code) }));
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

const namesNoAi = /^(?:names no AI$|says ".*", which may also be)/;

function measure(code: string, lines: readonly Line[]): Measured {
  const ruled = lines.map((line) => ({ ...line, ruling: ruleOnDisclosure(line.line) }));
  const rulings = ruled.map(({ line, discloses, ruling }) => ({
    discloses,
    wrong: ruling.discloses !== discloses,
    text: `${line} (${ruling.reason})`,
    namesAi: !namesNoAi.test(ruling.reason),
  }));
  const disclosing = rulings.filter(({ discloses }) => discloses);
  const undisclosed = rulings.filter(({ discloses }) => !discloses);
  return {
    code,
    disclosing: disclosing.length,
    undisclosed: undisclosed.length,
    refused: disclosing.filter(({ wrong }) => wrong).map(({ text }) => text),
    refusedNamingAi: disclosing.filter(({ wrong, namesAi }) => wrong && namesAi).map(({ text }) => text),
    passing: undisclosed.filter(({ wrong }) => wrong).map(({ text }) => text),
  };
}
