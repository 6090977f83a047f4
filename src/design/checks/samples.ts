import { callText, jsonPointer } from '../../platform/errors.ts';
import { textsWith } from '../placeholders.ts';
import { type Place, type Problem, problem, warning } from '../problem.ts';
import type { Design } from '../schema/design.ts';

/**
 * A sample value of a template's field, as `chosenDesign` marks it (`[[transferNumber: +12025550143]]`), or a gap that an author
 * has left (`[[number of the doctor]]`). A list of lists in JSON begins otherwise.
 */
const mark = /\[\[ ?(?:(?<field>\w+): |(?<gap>\p{L}[\p{L}\p{N} _'’-]{0,99})\]\])/u;

/** `design_invalid` for each text in which a sample of a template or a gap is left. It prevents activation (`decisions#templates`). */
export function* checkSamples(design: Design): Generator<Problem> {
  for (const { place, field } of samplesIn(design))
    yield problem('design_invalid', place, `This text still has ${field}.`, replacing(place));
}

/** A warning for each sample and each gap that is left, however many texts have it. */
export function* warnOfSamples(design: Design): Generator<Problem> {
  for (const [field, found] of Map.groupBy(samplesIn(design), (sample) => sample.field)) {
    const [first, ...more] = found.map(({ place }) => place);
    if (!first) continue;
    const others = more.map((place) => jsonPointer(place)).join(', ');
    const also = others === '' ? '' : ` So do ${others}.`;
    yield warning(first, `This text still has ${field}.${also}`, replacing(first));
  }
}

function replacing(place: Place): string {
  return `Replace [[…]] with a value of the business: ${callText('edit_design', { patch: [{ op: 'replace', path: jsonPointer(place), value: '…' }] })}.`;
}

/** The place of each, and what it is in words. */
function samplesIn({ compliance: _, ...design }: Design): { place: Place; field: string }[] {
  return textsWith('[[', design).flatMap(({ place, text }) => {
    const { field, gap } = mark.exec(text)?.groups ?? {};
    if (field !== undefined) return [{ place, field: `the sample of the template's field ${field}` }];
    return gap === undefined ? [] : [{ place, field: `the gap [[${gap}]]` }];
  });
}
