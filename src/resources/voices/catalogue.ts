/** A voice of the speech provider. Its id is the provider's name for it. */
interface BuiltInVoice {
  readonly id: string;
  readonly name: string;
  readonly gender: 'male' | 'female' | 'neutral';
  readonly vibeTags: readonly string[];
}

/** The built-in voices, all by OpenAI. The first is the default (decisions#voices). */
export const builtInVoices: readonly BuiltInVoice[] = [
  { id: 'alloy', name: 'Alloy', gender: 'neutral', vibeTags: ['balanced', 'clear'] },
  { id: 'ash', name: 'Ash', gender: 'male', vibeTags: ['warm', 'conversational'] },
  { id: 'ballad', name: 'Ballad', gender: 'male', vibeTags: ['expressive', 'gentle'] },
  { id: 'cedar', name: 'Cedar', gender: 'male', vibeTags: ['natural', 'calm'] },
  { id: 'coral', name: 'Coral', gender: 'female', vibeTags: ['friendly', 'bright'] },
  { id: 'echo', name: 'Echo', gender: 'male', vibeTags: ['measured', 'resonant'] },
  { id: 'fable', name: 'Fable', gender: 'neutral', vibeTags: ['storytelling', 'lively'] },
  { id: 'marin', name: 'Marin', gender: 'female', vibeTags: ['natural', 'fresh'] },
  { id: 'nova', name: 'Nova', gender: 'female', vibeTags: ['energetic', 'confident'] },
  { id: 'onyx', name: 'Onyx', gender: 'male', vibeTags: ['deep', 'authoritative'] },
  { id: 'sage', name: 'Sage', gender: 'female', vibeTags: ['calm', 'thoughtful'] },
  { id: 'shimmer', name: 'Shimmer', gender: 'female', vibeTags: ['soft', 'optimistic'] },
  { id: 'verse', name: 'Verse', gender: 'male', vibeTags: ['versatile', 'expressive'] },
];

/** The languages of OpenAI's speech models, as ISO 639-1. Every voice speaks all of them. */
export const builtInLanguages: readonly string[] = (
  'af ar hy az be bs bg ca zh hr cs da nl en et fi fr gl de el he hi hu is id it ja kn kk ko lv lt mk ms mr mi ' +
  'ne no fa pl pt ro ru sr sk sl es sw sv tl ta th tr uk ur vi cy'
).split(' ');

/** The voice of an agent profile that names none. */
export const defaultVoiceId = 'alloy';

const builtInVoiceIds: ReadonlySet<string> = new Set(builtInVoices.map(({ id }) => id));

export function isBuiltInVoice(id: string): boolean {
  return builtInVoiceIds.has(id);
}
