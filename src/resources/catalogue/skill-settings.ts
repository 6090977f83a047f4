import type { Plan } from '../projects/store.ts';
import { textProblem } from './field-values.ts';
import { isLocked, type Setting, skillOf } from './skills.ts';

/** A skill in the list of a simple flow. */
export interface ListedSkill {
  readonly key: string;
  /** Default true. */
  readonly enabled?: boolean | undefined;
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
}

/** A problem in a list of skills. */
export interface SkillProblem {
  /** Position in the list. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * Checks the skills of a simple project's agent: enabled skills that the plan locks, and invalid settings. Unknown
 * keys pass, because they have no effect.
 */
export function skillProblems(listed: readonly ListedSkill[], plan: Plan): SkillProblem[] {
  return listed.flatMap(({ key, enabled = true, settings = {} }, index) => {
    const skill = skillOf(key);
    if (!skill) return [];
    const locked: SkillProblem[] =
      enabled && isLocked(skill, plan)
        ? [
            {
              path: [index, 'key'],
              message: `The plan ${plan} does not include the skill ${key}. Disable it, or change the plan.`,
            },
          ]
        : [];
    const invalid = Object.entries(settings).flatMap(([name, value]): SkillProblem[] => {
      const setting = Object.hasOwn(skill.settings, name) ? skill.settings[name] : undefined;
      const message = setting
        ? settingProblem(setting, value)
        : `The skill ${key} has no setting ${JSON.stringify(name)}. Its settings are: ${Object.keys(skill.settings).join(', ')}.`;
      return message === undefined ? [] : [{ path: [index, 'settings', name], message }];
    });
    return [...locked, ...invalid];
  });
}

function settingProblem(setting: Setting, value: unknown): string | undefined {
  switch (setting.kind) {
    case 'integer': {
      const { minimum, maximum } = setting;
      const fits = Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
      return fits ? undefined : `Expected a whole number from ${minimum} to ${maximum}.`;
    }
    case 'choice':
      return setting.options.some((choice) => choice === value)
        ? undefined
        : `Expected ${setting.options.map((choice) => JSON.stringify(choice)).join(' or ')}.`;
    case 'text':
    case 'longText':
    case 'phone':
    case 'url':
      if (typeof value !== 'string' || value.trim() === '') return 'Expected text that is not blank.';
      return textProblem(setting.kind, value);
  }
}
