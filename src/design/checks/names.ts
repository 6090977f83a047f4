import { closest } from '../../platform/closest.ts';
import { isKnownName, type Placeholder, placeholdersOf, systemReferencesOf } from '../placeholders.ts';
import type { Place } from '../problem.ts';
import { type Problem, someOf, warning } from '../problem.ts';
import type { Design } from '../schema/design.ts';
import { systemVariableCalled, systemVariableNames } from '../system-variables.ts';
import { valueAt } from '../value.ts';
import { reachableSteps } from './reachability.ts';

/**
 * Warns about each `{{name}}` and `systemVariable` that never has a value, each secret where none is filled in, and each
 * placeholder between the braces of another one.
 */
export function* checkNames(design: Design): Generator<Problem> {
  const placeholders = [...placeholdersOf(design)];
  for (const { problem } of unknownNames(design, placeholders)) yield problem;
  for (const { place, name, isNested } of placeholders)
    if (isNested)
      yield warning(
        place,
        `The placeholder ${someOf([`{{${name}}}`])} stands between other braces, which stay as they are: a value chooses no name.`,
        'Write the name between the outer braces out, and remove the inner ones.',
      );
}

/** The warnings of {@link checkNames} that a caller notices: in what is said or texted, or decided before the first step. */
export function* heardNames(design: Design): Generator<Problem> {
  let reached: ReadonlySet<string> | undefined;
  for (const { place, problem } of unknownNames(design, placeholdersOf(design))) {
    const [part, second, , , block] = place;
    if (part === 'steps') {
      reached ??= reachableSteps(design);
      if (reached.has(String(second))) yield problem;
    } else if (block === 'sendSms') {
      // A literal number is the business, not the caller.
      if (valueAt(design, [...place.slice(0, 5), 'to', 'literalString']) === undefined) yield problem;
    } else if (block === 'condition' && second === 'before') yield problem;
  }
}

interface UnknownName {
  readonly place: Place;
  readonly problem: Problem;
}

const listing = 'describe_design {"kind": "variables"} lists the system variables.';

function* unknownNames(design: Design, placeholders: Iterable<Placeholder>): Generator<UnknownName> {
  const variables = (design.variables ?? []).map(({ id }) => id);
  for (const { place, name } of placeholders) {
    const problem = name.startsWith('secret.')
      ? misplacedSecret(name, place)
      : unknownPlaceholder(name, place, design, variables);
    if (problem) yield { place, problem };
  }
  for (const { place, name } of systemReferencesOf(design)) {
    if (systemVariableNames.includes(name)) continue;
    const hint = suggestion(name, systemVariableNames) + listing;
    yield { place, problem: warning(place, `There is no system variable ${someOf([name])}.`, hint) };
  }
}

function misplacedSecret(name: string, place: Place): Problem | undefined {
  const [, , , , block, member] = place;
  const isRequest = block === 'webhook' || block === 'fetch';
  if (isRequest && (member === 'url' || member === 'query' || member === 'headers')) return undefined;
  return warning(
    place,
    `The secret ${someOf([name])} is not filled in here.`,
    'Secrets are filled in the url, query and headers of a webhook or fetch only. Remove it here.',
  );
}

function unknownPlaceholder(
  name: string,
  place: Place,
  design: Design,
  variables: readonly string[],
): Problem | undefined {
  if (isKnownName(name, design)) return undefined;
  return warning(
    place,
    `The placeholder ${someOf([`{{${name}}}`])} names no variable, so nothing is filled in.`,
    `${suggestion(name, [...variables, ...systemVariableNames])}The variables of this design: ${someOf(variables)}. ${listing}`,
  );
}

function suggestion(name: string, known: readonly string[]): string {
  // Also a member of a variable that has none, and `system.` before a variable of the design.
  const words = [name, name.replace(/^system\./, ''), name.replace(/\..*$/, '')];
  const word =
    systemVariableCalled(name) ??
    words.map((one) => closest({ word: one, known })).find((found) => found !== undefined);
  return word === undefined ? '' : `Did you mean ${someOf([word])}? `;
}
