import * as v from 'valibot';
import { type Line, linesWith } from '../../design/find.ts';
import { DesignOutline, outlineOf } from '../../design/outline.ts';
import type { Design } from '../../design/schema/design.ts';
import { idMap } from '../../design/schema/values.ts';
import { signingNames } from '../../design/signing.ts';
import { spokenTexts, tableOf } from '../../design/spoken-texts.ts';
import { segmentsOf } from '../../design/value.ts';
import type { InputProblem } from '../../operation/define.ts';
import { callText, ToolError } from '../../platform/errors.ts';
import type { Stores } from '../../store/stores.ts';
import { type VersionChoice, VersionNumber } from '../conversations/schema.ts';
import { DesignDocument } from '../designs/schema.ts';
import type { DesignOwner } from '../record/design-owner.ts';
import { SearchText } from '../search/schema.ts';
import { readCompiled, readPlayable } from './compiled-version.ts';

const maximumSteps = 250;

/** Which part of a design to read; everything if a call names none. */
export const readingInputs = {
  steps: v.exactOptional(
    v.pipe(
      v.array(v.string()),
      v.minLength(1),
      v.maxLength(maximumSteps),
      v.description('Only these steps, by id.'),
    ),
  ),
  outline: v.exactOptional(v.pipe(v.boolean(), v.description('True: ids, kinds, exits and sizes only.'))),
  texts: v.exactOptional(v.pipe(v.boolean(), v.description('True: what callers hear, by pointer.'))),
  find: v.exactOptional(v.pipe(SearchText, v.description('Only the lines with this text.'))),
};

interface Parts {
  readonly steps?: readonly string[] | undefined;
  readonly outline?: boolean | undefined;
  readonly texts?: boolean | undefined;
  readonly find?: string | undefined;
}

/** Where the design of a flow comes from. */
const ofFlow = {
  sources: v.exactOptional(
    v.pipe(idMap(v.string()), v.description('JSON pointers into the flow, by the step made of each.')),
  ),
  meaningless: v.exactOptional(
    v.pipe(
      v.array(v.strictObject({ path: v.string(), message: v.string() })),
      v.description('Parts of the flow that mean nothing to a call.'),
    ),
  ),
};

/** The design that a flow becomes; null if nothing in it says what happens in a call. */
export const ReadFlowDesign = v.strictObject({
  version: VersionNumber,
  design: v.nullable(DesignDocument),
  ...ofFlow,
});

/** The responses to a call that asks for a part. */
export const partsOfDesign = [
  v.strictObject({ version: VersionNumber, steps: idMap(v.unknown()) }),
  v.strictObject({ version: VersionNumber, ...DesignOutline.entries, ...ofFlow }),
  v.strictObject({
    version: VersionNumber,
    count: v.pipe(v.number(), v.integer(), v.minValue(0)),
    texts: idMap(v.string()),
  }),
  v.strictObject({
    version: VersionNumber,
    places: v.array(v.strictObject({ pointer: v.string(), text: v.string() })),
  }),
] as const;

/** Problems of a call that asks for several parts. */
export function readingProblems({ steps, outline, find, texts }: Parts): InputProblem[] {
  const problems: InputProblem[] = [];
  if (texts && (outline || find !== undefined))
    problems.push({ path: ['texts'], message: 'Cannot be combined with outline or find.' });
  if (steps && outline) problems.push({ path: ['outline'], message: 'Cannot be combined with steps.' });
  if (find !== undefined && (steps || outline))
    problems.push({ path: ['find'], message: 'Cannot be combined with steps or outline.' });
  return problems;
}

/** The part of a design that a call asks for; undefined if it asks for everything. */
export async function partOf(
  stores: Stores,
  design: Design,
  version: number,
  { steps, outline, find, texts }: Parts,
  owner: DesignOwner,
) {
  if (find !== undefined) return { version, places: linesWith(design, find.trim()) };
  if (outline) {
    const signing = signingNames(design);
    const secrets = signing.length > 0 ? await stores.secrets.existing(signing) : undefined;
    return { version, ...outlineOf(design, secrets) };
  }
  const hint = `${callText('read_design', { ...owner, version, outline: true })} shows the step ids.`;
  const chosen = steps && selectedSteps(design, steps, hint);
  if (texts) {
    const lines = chosen ? textsOfSteps(design, chosen) : spokenTexts(design);
    return { version, count: lines.length, texts: tableOf(lines) };
  }
  return chosen && { version, steps: chosen };
}

/** The texts of some steps that callers hear. */
function textsOfSteps(design: Design, steps: Design['steps']): Line[] {
  return spokenTexts(design).filter(({ pointer }) => {
    const [part, stepId = ''] = segmentsOf(pointer);
    return part === 'steps' && Object.hasOwn(steps, stepId);
  });
}

/**
 * Reads the design that a version of a flow becomes, or a part of it.
 * @throws ToolError `not_found`, and 501 `not_yet_supported` for a part of a flow that becomes no design
 */
export async function readFlow(
  stores: Stores,
  flowId: string,
  choice: VersionChoice | undefined,
  parts: Parts,
) {
  const isWhole = parts.steps === undefined && !parts.outline && !parts.texts && parts.find === undefined;
  if (isWhole) {
    const { version, design, sources, meaningless } = await readCompiled(stores, flowId, choice ?? 'newest');
    return { version, design, sources: { ...sources }, meaningless: [...meaningless] };
  }
  const { version, design, sources, meaningless } = await readPlayable(stores, flowId, choice);
  const part = await partOf(stores, design, version, parts, { flowId });
  if (!part) throw new TypeError('a part was asked for');
  return 'schemaVersion' in part ? { ...part, sources: { ...sources }, meaningless: [...meaningless] } : part;
}

function selectedSteps(design: Design, stepIds: readonly string[], hint: string): Design['steps'] {
  return Object.fromEntries(
    stepIds.map((stepId) => {
      const step = Object.hasOwn(design.steps, stepId) ? design.steps[stepId] : undefined;
      if (!step)
        throw new ToolError('not_found', `There is no step ${JSON.stringify(stepId)} in this version.`, {
          hint,
        });
      return [stepId, step];
    }),
  );
}
