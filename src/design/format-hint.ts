import { callText } from '../platform/errors.ts';
import { actionBlocks } from './schema/hooks.ts';
import { isStepKind } from './schema/steps.ts';
import { valueAt } from './value.ts';

/** The call that shows the format of a place in a design: of its kind of step, of its action block, or of the frame. */
export function formatHint(
  design: unknown,
  [part, second, third, , block]: readonly (string | number)[],
): string {
  return `${callText('describe_design', { kind: kindAt() })} shows the format, with an example.`;

  function kindAt(): string {
    if (part === 'variables') return part;
    if (part === 'hooks') {
      const isBlock = third === 'nodes' && typeof block === 'string' && Object.hasOwn(actionBlocks, block);
      return isBlock ? block : 'hooks';
    }
    const kind =
      part === 'steps' && second !== undefined ? valueAt(design, [part, second, 'kind']) : undefined;
    return isStepKind(kind) ? kind : 'frame';
  }
}
