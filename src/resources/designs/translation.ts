import type * as v from 'valibot';
import { hasLinesIn } from '../../calls/lines.ts';
import type { Design } from '../../design/schema/design.ts';
import { spokenTexts } from '../../design/spoken-texts.ts';
import { languageCodeOf } from '../../disclosure/index.ts';
import { callText } from '../../platform/errors.ts';
import type { DesignWarning } from './schema.ts';

type Warning = v.InferOutput<typeof DesignWarning>;

/** The code of a language tag: `pt` of `pt-BR`. */
function languageOf(tag: string): string {
  return tag.toLowerCase().split('-', 1)[0] ?? '';
}

/** True if the texts of a design are in a language already. */
export function isSpoken(design: Design, tag: string): boolean {
  return spokenLanguage(design) === languageOf(tag);
}

function spokenLanguage(design: Design): string {
  return languageCodeOf(
    spokenTexts(design)
      .map(({ text }) => text)
      .join(' '),
  );
}

/** What in a translated design, or around it, callers will still hear in another language. */
export function translationWarnings(
  design: Design,
  tag: string,
  { isWhole, heardBy }: { readonly isWhole: boolean; readonly heardBy: readonly string[] },
): Warning[] {
  const language = languageOf(tag);
  const warnings: Warning[] = [];
  if (!hasLinesIn(language))
    warnings.push({
      path: '',
      message: `What the agent says by itself, such as "Are you still there?", has no ${language} yet and stays in English.`,
      hint: 'Give the items of collect steps a question, and the command human a line.',
    });
  else if (isWhole) {
    const heard = spokenLanguage(design);
    if (heard !== language)
      warnings.push({
        path: '',
        message: `The texts read like ${heard}, not ${language}, and so will what the agent says by itself.`,
        hint: `Translate them: ${callText('edit_design', { texts: { '/steps/…': '…' } })}.`,
      });
  }
  if (heardBy.length > 0 && !heardBy.some((one) => languageOf(one) === language))
    warnings.push({
      path: '',
      message: `Its agent profile listens to ${heardBy.slice(0, 5).join(', ')}, and not to ${language}.`,
      hint: 'Add the language with update_agent_profile, or choose another profile with update_conversation.',
    });
  return warnings;
}
