import type { Plan } from '../store/projects.ts';
import { textProblem } from './field-values.ts';
import { isLocked, skillOf } from './skills.ts';
import type { FieldKind } from './template.ts';

/** What a setting of a skill takes. */
export type Setting =
  | { readonly kind: 'integer'; readonly least: number; readonly most: number }
  | { readonly kind: 'choice'; readonly of: readonly string[] }
  | { readonly kind: FieldKind };

/** A skill as a simple flow lists it; left out, `enabled` means yes. */
export interface ListedSkill {
  readonly key: string;
  readonly enabled?: boolean | undefined;
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
}

/** Something wrong with a list of skills, and where in it. */
export interface SkillProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * What keeps the agent of a simple project from having these skills: locked ones that are enabled, and settings that
 * are wrong. A key that is no skill's does nothing and is let pass.
 */
export function skillProblems(listed: readonly ListedSkill[], plan: Plan): SkillProblem[] {
  return listed.flatMap(({ key, enabled = true, settings = {} }, index) => {
    const skill = skillOf(key);
    if (!skill) return [];
    const locked: SkillProblem[] =
      enabled && isLocked(skill, plan)
        ? [{ path: [index, 'key'], message: `The plan ${plan} locks the skill ${key}.` }]
        : [];
    const wrong = Object.entries(settings).flatMap(([name, value]): SkillProblem[] => {
      const setting = Object.hasOwn(skill.settings, name) ? skill.settings[name] : undefined;
      const message = setting
        ? settingProblem(setting, value)
        : `The skill ${key} has no such setting; it has ${Object.keys(skill.settings).join(', ')}.`;
      return message === undefined ? [] : [{ path: [index, 'settings', name], message }];
    });
    return [...locked, ...wrong];
  });
}

function settingProblem(setting: Setting, value: unknown): string | undefined {
  switch (setting.kind) {
    case 'integer': {
      const { least, most } = setting;
      const fits = Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
      return fits ? undefined : `Expected a whole number from ${least} to ${most}.`;
    }
    case 'choice':
      return setting.of.some((choice) => choice === value)
        ? undefined
        : `Expected ${setting.of.map((choice) => JSON.stringify(choice)).join(' or ')}.`;
    case 'text':
    case 'longText':
    case 'phone':
    case 'url':
      if (typeof value !== 'string' || value.trim() === '') return 'Expected some text.';
      return textProblem(setting.kind, value);
  }
}
