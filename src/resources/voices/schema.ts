import * as v from 'valibot';
import type { Stores } from '../../store/stores.ts';
import { requireWithinPlan } from '../projects/plan-limits.ts';
import { builtInLanguages, builtInVoices, defaultVoiceId } from './catalogue.ts';
import type { CustomVoice } from './store.ts';

export const VoiceGender = v.picklist(['male', 'female', 'neutral']);

/** A voice (service-api#voice). */
export const Voice = v.strictObject({
  id: v.string(),
  name: v.string(),
  provider: v.string(),
  gender: VoiceGender,
  supportedLanguages: v.array(v.string()),
  vibeTags: v.array(v.string()),
  isCustom: v.boolean(),
  isDefault: v.boolean(),
});

type Voice = v.InferOutput<typeof Voice>;

/** A custom voice as callers see it. */
export function customVoice({ id, name, gender, supportedLanguages, vibeTags }: CustomVoice): Voice {
  return {
    id,
    name,
    provider: 'parley',
    gender,
    supportedLanguages,
    vibeTags,
    isCustom: true,
    isDefault: false,
  };
}

/** The built-in voices as callers see them. */
export const catalogueVoices: readonly Voice[] = builtInVoices.map(({ id, name, gender, vibeTags }) => ({
  id,
  name,
  provider: 'openai',
  gender,
  supportedLanguages: [...builtInLanguages],
  vibeTags: [...vibeTags],
  isCustom: false,
  isDefault: id === defaultVoiceId,
}));

/**
 * Checks the number of voices after one was created in this transaction. It locks the project, so it comes last: other
 * writers then wait for the commit only, not for the audio to be stored.
 * @throws ToolError `plan_limit_exceeded`
 */
export async function requireVoicesWithinPlan(stores: Stores): Promise<void> {
  const { plan } = await stores.projects.hold();
  const count = await stores.voices.count();
  requireWithinPlan(plan, 'voices', count - 1, count);
}
