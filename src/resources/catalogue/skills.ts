import { nodesOf } from '../../design/exits.ts';
import type { Design, HookNode, Step } from '../../design/schema/design.ts';
import type { Plan, Project } from '../projects/store.ts';
import type { FieldKind } from './template.ts';

export const availabilities = ['included', 'locked', 'beta'] as const;

/** A capability that a template uses, and whether the project may use it. */
export interface Skill {
  readonly key: string;
  readonly availability: (typeof availabilities)[number];
}

/** What a setting of a skill accepts. */
export type Setting =
  | { readonly kind: 'integer'; readonly minimum: number; readonly maximum: number }
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  | { readonly kind: FieldKind };

interface SkillDefinition {
  readonly key: string;
  /** Usable, but may still change. */
  readonly beta?: true;
  /** Plans of simple projects that do not include it. */
  readonly lockedOn?: readonly Plan[];
  /** The settings that a simple flow may give, by name. */
  readonly settings: Readonly<Record<string, Setting>>;
  /** Step kinds and hook actions that show that a design uses the skill. */
  readonly steps?: readonly Step['kind'][];
  readonly actions?: readonly (keyof HookNode)[];
}

/** The same bounds as `maxTurns` and `maxAttempts` of a design's steps. */
const attempts: Setting = { kind: 'integer', minimum: 1, maximum: 100 };

const skills: readonly SkillDefinition[] = [
  { key: 'answerQuestions', settings: { maxTurns: attempts }, steps: ['answer'] },
  { key: 'collectDetails', settings: { maxAttempts: attempts }, steps: ['collect'] },
  {
    key: 'transferCalls',
    settings: { number: { kind: 'phone' }, mode: { kind: 'choice', options: ['cold', 'warm'] } },
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

export function skillOf(key: string): SkillDefinition | undefined {
  return byKey.get(key);
}

/** True if the plan locks the skill in simple projects. */
export function isLocked({ lockedOn = [] }: SkillDefinition, plan: Plan): boolean {
  return lockedOn.includes(plan);
}

/** The skills that a design uses. Only simple projects lock skills. */
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
      const unlocked = skill.beta ? 'beta' : 'included';
      return {
        key: skill.key,
        availability: mode === 'simple' && isLocked(skill, plan) ? 'locked' : unlocked,
      };
    });
}
