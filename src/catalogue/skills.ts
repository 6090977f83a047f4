import { nodesOf } from '../design/exits.ts';
import type { Design, HookNode, Step } from '../design/schema/design.ts';
import type { Plan, Project } from '../store/projects.ts';
import type { Setting } from './skill-settings.ts';

export const availabilities = ['included', 'locked', 'beta'] as const;

/** Something that a template or the agent of a simple project does, and whether the project can have it. */
export interface Skill {
  readonly key: string;
  readonly availability: (typeof availabilities)[number];
}

interface SkillRow {
  readonly key: string;
  /** Offered, but not yet promised to stay as it is. */
  readonly beta?: true;
  /** The plans that lock it for the agents of simple projects. */
  readonly lockedOn?: readonly Plan[];
  /** What it can be told in a simple flow, by name. */
  readonly settings: Readonly<Record<string, Setting>>;
  /** What a design has that uses it. */
  readonly steps?: readonly Step['kind'][];
  readonly actions?: readonly (keyof HookNode)[];
}

/** How often it tries, as in the steps of designs. */
const tries: Setting = { kind: 'integer', least: 1, most: 100 };

/** Every skill. */
const skills: readonly SkillRow[] = [
  { key: 'answerQuestions', settings: { maxTurns: tries }, steps: ['answer'] },
  { key: 'collectDetails', settings: { maxAttempts: tries }, steps: ['collect'] },
  {
    key: 'transferCalls',
    settings: { number: { kind: 'phone' }, mode: { kind: 'choice', of: ['cold', 'warm'] } },
    steps: ['transfer'],
  },
  {
    key: 'recordWithConsent',
    beta: true,
    lockedOn: ['free'],
    settings: { line: { kind: 'longText' } },
    steps: ['recordingConsent'],
  },
  { key: 'lookUpData', lockedOn: ['free'], settings: { url: { kind: 'url' } }, actions: ['fetch'] },
  { key: 'callWebhooks', lockedOn: ['free'], settings: { url: { kind: 'url' } }, actions: ['webhook'] },
  {
    key: 'sendSms',
    beta: true,
    lockedOn: ['free', 'starter'],
    settings: { to: { kind: 'phone' }, text: { kind: 'longText' } },
    actions: ['sendSms'],
  },
];

const byKey = new Map(skills.map((skill) => [skill.key, skill]));

/** The skill of a key, if there is one. */
export function skillOf(key: string): SkillRow | undefined {
  return byKey.get(key);
}

/** True where the plan keeps the agents of simple projects from a skill. */
export function isLocked({ lockedOn = [] }: SkillRow, plan: Plan): boolean {
  return lockedOn.includes(plan);
}

/** The skills that a design uses; only a simple project has locked ones. */
export function skillsOf(design: Design, { mode, plan }: Pick<Project, 'mode' | 'plan'>): Skill[] {
  const kinds = new Set(Object.values(design.steps).map(({ kind }) => kind));
  const nodes = [...nodesOf(design)].map(({ node }) => node);
  return skills
    .filter(
      ({ steps = [], actions = [] }) =>
        steps.some((kind) => kinds.has(kind)) ||
        actions.some((action) => nodes.some((node) => node[action] !== undefined)),
    )
    .map((skill) => {
      const open = skill.beta ? 'beta' : 'included';
      return { key: skill.key, availability: mode === 'simple' && isLocked(skill, plan) ? 'locked' : open };
    });
}
