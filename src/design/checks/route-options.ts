import { type Problem, problem } from '../problem.ts';
import type { Design } from '../schema/design.ts';

/** `invalid_route_option`: an option has a title or a description alone, or neither both of them nor a target. */
export function* checkRouteOptions({ steps }: Design): Generator<Problem> {
  for (const [stepId, step] of Object.entries(steps)) {
    if (step.kind !== 'route') continue;
    for (const [index, { title, description, target }] of step.options.entries()) {
      const place = ['steps', stepId, 'options', index];
      const hint = 'Add a title and a description, or a target, or all three.';
      if ((title === undefined) !== (description === undefined)) {
        const [present, missing] = title === undefined ? ['description', 'title'] : ['title', 'description'];
        yield problem('invalid_route_option', place, `This option has a ${present} but no ${missing}.`, hint);
      } else if (title === undefined && target === undefined)
        yield problem(
          'invalid_route_option',
          place,
          'This option has neither a title and description nor a target.',
          hint,
        );
    }
  }
}
