import type { PathEntry, TranscriptLine } from '../../calls/call-driver.ts';
import type { Position, Understood } from '../../calls/call-state.ts';
import { type CheckedExpectation, decidedAt } from '../../calls/expectations.ts';
import type { SimulationRun } from '../../calls/simulate.ts';
import type { JsonObject } from '../../operation/result.ts';
import { shortenList } from '../record/shorten-list.ts';
import type { PlayedCall } from './play.ts';
import type { SimulationReport } from './schema.ts';

/** The part of a response that tells one call. */
export function reportOf({ run, expectations }: PlayedCall) {
  const { ended, transcript, path, requests, variables, notes, coverage } = run;
  return {
    ended,
    transcript: transcript.map(lineOf),
    path: path.map(placeOf),
    requests: requests.map((request) => ({ ...request })),
    variables,
    notes: [...new Set(notes)],
    coverage: {
      steps: { ...coverage.steps, missed: [...coverage.steps.missed] },
      exits: { ...coverage.exits, missed: [...coverage.exits.missed] },
      nodes: { ...coverage.nodes, missed: [...coverage.nodes.missed] },
    },
    expectations: expectations.map((expectation) => verdictOf(run, expectation)),
  };
}

/** Expectations or scenarios, those that do not hold first. */
export function failedFirst<Checked extends { readonly holds: boolean }>(all: readonly Checked[]): Checked[] {
  return all.toSorted((one, other) => Number(one.holds) - Number(other.holds));
}

function lineOf({ understood, ...line }: TranscriptLine) {
  return { ...line, ...(understood && { understood: meaningOf(understood) }) };
}

/** What a turn was taken for. What the agent replies follows as its own line. */
export function meaningOf(understood: Understood): Record<string, unknown> {
  if (!('answered' in understood)) return { ...understood };
  const { text: _, ...meaning } = understood;
  return meaning;
}

/** A place of the path, as a response shows it. */
export function placeOf({ at, id, exit, why }: PathEntry) {
  return { ...namedPlace({ at, id }), exit, why };
}

function namedPlace({ at, id }: Position) {
  return at === 'step' ? { step: id } : { hookNode: id };
}

/** An expectation with whether it holds and, if it does not, the place of the call that decided it. */
function verdictOf(run: SimulationRun, expectation: CheckedExpectation) {
  const place = expectation.holds ? undefined : decidedAt(run, expectation);
  return { ...expectation, ...(place && { decidedAt: namedPlace(place) }) };
}

/** Characters of the lists of a report on MCP, together less than a host accepts. */
const share = { transcript: 16_000, path: 6_000, requests: 6_000, missed: 1_500 };

/** A report as MCP shows it: what failed comes first, and a part that the design does not have is not counted. */
export function briefReport(report: JsonObject): JsonObject {
  const { version, expectations, coverage, ...more } = report as unknown as SimulationReport;
  return { version, expectations: failedFirst(expectations), ...more, coverage: briefCoverage(coverage) };
}

/** Coverage without the parts that the design does not have. */
export function briefCoverage<Part extends { readonly all: number }>(
  coverage: Readonly<Record<string, Part>>,
): Record<string, Part> {
  return Object.fromEntries(Object.entries(coverage).filter(([, { all }]) => all > 0));
}

/** A report that fits into one result of MCP. */
export function shortenedReport(report: SimulationReport): SimulationReport {
  const { transcript, path, requests, coverage, notes, variables } = report;
  return {
    ...report,
    transcript: shortenList(transcript, share.transcript),
    path: shortenList(path, share.path),
    requests: shortenList(requests, share.requests),
    variables: Object.fromEntries(shortenList(Object.entries(variables), share.requests)),
    notes: [
      'Only the beginning of long lists is shown. REST returns all of it.',
      ...shortenList(notes, share.missed),
    ],
    coverage: Object.fromEntries(
      Object.entries(coverage).map(([name, part]) => [
        name,
        { ...part, missed: shortenList(part.missed, share.missed) },
      ]),
    ),
  };
}
