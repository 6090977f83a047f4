import { expectedKind } from '../../../calls/reading/kinds.ts';
import type { AnswerKind } from '../../../design/schema/steps.ts';

/** Beginnings of keys of what a call is about, which callers may say at the start. */
const aboutTheCall =
  /^(?:reason|topic|subject|message|concern|issue|problem|request|inquiry|enquiry|purpose|anliegen|grund|nachricht|motif|raison|motivo|asunto|mensaje|motivazione|messaggio|assunto|mensagem|reden|bericht|onderwerp|pow[oó]d|wiadomo)/iu;

/** First words of questions to which yes and no are answers. */
const verbs = new Set(
  `are is do does did have has was were would will
  sind ist haben hat waren war hatten möchten wollen brauchen
  êtes avez est-ce souhaitez voulez es está ha tiene han quiere è vuole siete avete
  é tem quer está bent heeft wilt hebt was czy`.split(/\s+/u),
);

/** First words of questions to which they are not. */
const questionWords = new Set(
  `what which who whom whose how where when why was welche welcher welches wer wie wo wann warum
  que qui quel quelle quels quelles comment où quand pourquoi qué quién cuál cómo dónde cuándo
  che chi quale quali come dove quando cosa o qual quem como onde wat welke wie hoe waar wanneer waarom
  co kto jaki jaka jakie jak gdzie kiedy dlaczego`.split(/\s+/u),
);

/** What kind of answer a question of a flow expects. Its key tells that best, and otherwise its words. */
export function expectedAnswer(key: string, prompt: string): AnswerKind {
  if (aboutTheCall.test(key)) return 'reason';
  const ofKey = expectedKind(key, '');
  if (ofKey !== 'text') return ofKey;
  const ofPrompt = expectedKind('', prompt);
  if (ofPrompt !== 'text' && ofPrompt !== 'yesOrNo') return ofPrompt;
  const first = firstWord(prompt);
  if (questionWords.has(first)) return 'text';
  return verbs.has(first) ? 'yesOrNo' : ofPrompt;
}

/** The first word of the last sentence, which is the question. */
function firstWord(prompt: string): string {
  const sentence =
    prompt
      .trim()
      .split(/[.!?]\s+/u)
      .at(-1) ?? '';
  return /[\p{L}-]+/u.exec(sentence.toLowerCase())?.[0] ?? '';
}
