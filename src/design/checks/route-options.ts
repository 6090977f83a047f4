import { type Problem, problem } from '../problem.ts';
import type { Design } from '../schema/design.ts';

/** `invalid_route_option`: an option with one of title and description alone, or with neither that pair nor a target. */
export function checkRouteOptions({ steps }: Design): Problem[] {
  return Object.entries(steps).flatMap(([stepId, step]) => {
    if (step.kind !== 'route') return [];
    return step.options.flatMap(({ title, description, target }, index) => {
      const place = ['steps', stepId, 'options', index];
      const hint = 'Give it a title and a description, or a target, or all three.';
      if ((title === undefined) !== (description === undefined)) {
        const [there, lacking] = title === undefined ? ['description', 'title'] : ['title', 'description'];
        return [problem('invalid_route_option', place, `Has a ${there} and no ${lacking}.`, hint)];
      }
      if (title === undefined && target === undefined)
        return [
          problem('invalid_route_option', place, 'Has neither title and description nor a target.', hint),
        ];
      return [];
    });
  });
}
