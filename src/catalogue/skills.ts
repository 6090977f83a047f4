import { nodesOf } from '../design/exits.ts';
import type { Design, HookNode, Step } from '../design/schema/design.ts';

export const availabilities = ['included', 'locked', 'beta'] as const;

/** Something that a template does, and whether a project can have it. */
export interface Skill {
  readonly key: string;
  readonly availability: (typeof availabilities)[number];
}

interface SkillRow extends Skill {
  readonly steps?: readonly Step['kind'][];
  readonly actions?: readonly (keyof HookNode)[];
}

/** The skills by what they need of a design; no plan locks one yet. */
const skills: readonly SkillRow[] = [
  { key: 'answerQuestions', availability: 'included', steps: ['answer'] },
  { key: 'collectDetails', availability: 'included', steps: ['collect'] },
  { key: 'transferCalls', availability: 'included', steps: ['transfer'] },
  { key: 'recordWithConsent', availability: 'beta', steps: ['recordingConsent'] },
  { key: 'lookUpData', availability: 'included', actions: ['fetch'] },
  { key: 'callWebhooks', availability: 'included', actions: ['webhook'] },
  { key: 'sendSms', availability: 'beta', actions: ['sendSms'] },
];

/** The skills that a design uses. */
export function skillsOf(design: Design): Skill[] {
  const kinds = new Set(Object.values(design.steps).map(({ kind }) => kind));
  const nodes = [...nodesOf(design)].map(({ node }) => node);
  return skills
    .filter(
      ({ steps = [], actions = [] }) =>
        steps.some((kind) => kinds.has(kind)) ||
        actions.some((action) => nodes.some((node) => node[action] !== undefined)),
    )
    .map(({ key, availability }) => ({ key, availability }));
}
