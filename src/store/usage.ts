export type UsageService = 'tts' | 'stt' | 's2s' | 'llm' | 'kb' | 'voice_minutes';
export type UsageMode = 'realtime' | 'batch' | 'playground' | null;
export type UsageMetric = 'seconds' | 'tokens_in' | 'tokens_out' | 'chars' | 'minutes' | 'requests';

/** One quantity that a call used. */
export interface Use {
  readonly service: UsageService;
  readonly mode: UsageMode;
  readonly metric: UsageMetric;
  readonly quantity: number;
  /** Where it was not told by who served the call. */
  readonly estimated?: true;
}
