import type { Facts } from '../../design/facts.ts';
import type { Design } from '../../design/schema/design.ts';
import type { ToolContext } from '../../environment/context.ts';
import { confirmDisclosures } from './disclosure-confirmation.ts';

/** What the checks of a design know besides the records of the project. */
export type Rules = Pick<Facts, 'disclosure' | 'models'>;

/** The rules for a design that replaces `base`: asks a model about its lines, if one is configured. */
export async function rulesFor(
  context: Pick<ToolContext, 'services' | 'signal'>,
  design: Design | undefined,
  base: Design | undefined,
): Promise<Rules> {
  return {
    disclosure: await confirmDisclosures(context, design, base),
    models: context.services.chatModels,
  };
}
