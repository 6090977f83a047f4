/** Milliseconds in which an agent joins: LiveKit sends a worker at once, and Parley another one after 3 s of silence. */
export const longestJoin = 10_000;

/** Why a call has ended. */
export type CallEnd =
  | {
      readonly kind:
        | 'hungUp'
        | 'agentHungUp'
        | 'noWorker'
        | 'agentLost'
        | 'connectionLost'
        | 'serverStopped'
        | 'otherWindow'
        | 'turnByTurn'
        | 'origin';
    }
  | { readonly kind: 'unreachable'; readonly address: string }
  | { readonly kind: 'microphone'; readonly problem: string }
  | { readonly kind: 'failed'; readonly error: Error };

/** What somebody said, or the keys that the caller pressed. */
export interface Caption {
  readonly id: string;
  readonly who: 'agent' | 'caller' | 'keys';
  readonly text: string;
  /** False while it is still being said, or may still be heard differently. */
  readonly isFinal: boolean;
}

export interface CallState {
  readonly phase: 'idle' | 'asking' | 'connecting' | 'joining' | 'talking' | 'interrupted' | 'over';
  /** What the agent does while the call is in phase `talking`. */
  readonly agent: 'speaking' | 'listening' | 'thinking';
  /** True once an agent has joined, also if it left again. */
  readonly hadAgent: boolean;
  readonly isMuted: boolean;
  /** True if the browser plays no sound before the caller asks for it. */
  readonly isSilenced: boolean;
  readonly hasLostMicrophone: boolean;
  readonly captions: readonly Caption[];
  /** Set in phase `over`. */
  readonly end: CallEnd | undefined;
}

/** Something that happened in a call. */
export type CallNews =
  | { readonly kind: 'asked' | 'granted' | 'interrupted' | 'microphoneLost' | 'closed' }
  /** The caller is in the room, with or without an agent; an agent has joined it, or the last one left. */
  | { readonly kind: 'room'; readonly hasAgent: boolean }
  | { readonly kind: 'agent'; readonly does: CallState['agent'] }
  | { readonly kind: 'caption'; readonly caption: Caption }
  | { readonly kind: 'pressed'; readonly key: string }
  | { readonly kind: 'muted'; readonly isMuted: boolean }
  | { readonly kind: 'silenced'; readonly isSilenced: boolean }
  | { readonly kind: 'ended'; readonly end: CallEnd };

export const noCall: CallState = {
  phase: 'idle',
  agent: 'listening',
  hadAgent: false,
  isMuted: false,
  isSilenced: false,
  hasLostMicrophone: false,
  captions: [],
  end: undefined,
};

export function afterNews(state: CallState, news: CallNews): CallState {
  switch (news.kind) {
    case 'asked':
      return { ...noCall, phase: 'asking' };
    case 'granted':
      return { ...state, phase: 'connecting' };
    case 'room':
      return {
        ...state,
        phase: news.hasAgent ? 'talking' : 'joining',
        hadAgent: state.hadAgent || news.hasAgent,
      };
    case 'interrupted':
      return { ...state, phase: 'interrupted' };
    case 'agent':
      return { ...state, agent: news.does };
    case 'caption':
      return { ...state, captions: withCaption(state.captions, news.caption) };
    case 'pressed':
      return { ...state, captions: withKey(state.captions, news.key) };
    case 'muted':
      return { ...state, isMuted: news.isMuted };
    case 'silenced':
      return { ...state, isSilenced: news.isSilenced };
    case 'microphoneLost':
      return { ...state, hasLostMicrophone: true };
    case 'ended':
      return { ...state, phase: 'over', end: news.end };
    case 'closed':
      return noCall;
  }
}

/** A caption replaces the one of the same id: what the caller said may be heard differently in the end. */
function withCaption(captions: readonly Caption[], caption: Caption): Caption[] {
  const isNew = captions.every(({ id }) => id !== caption.id);
  return isNew ? [...captions, caption] : captions.map((one) => (one.id === caption.id ? caption : one));
}

function withKey(captions: readonly Caption[], key: string): Caption[] {
  const last = captions.at(-1);
  if (last?.who === 'keys') return [...captions.slice(0, -1), { ...last, text: `${last.text} ${key}` }];
  return [...captions, { id: `keys ${captions.length}`, who: 'keys', text: key, isFinal: true }];
}
