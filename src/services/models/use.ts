export type UsageService = 'tts' | 'stt' | 's2s' | 'llm' | 'kb' | 'voice_minutes';
export type UsageMode = 'realtime' | 'batch' | 'playground' | null;
export type UsageMetric = 'seconds' | 'tokens_in' | 'tokens_out' | 'chars' | 'minutes' | 'requests';

/** One quantity that a call used, for example its tokens. */
export interface Use {
  readonly service: UsageService;
  readonly mode: UsageMode;
  readonly metric: UsageMetric;
  readonly quantity: number;
  /** Set if the service of the call did not report the quantity. */
  readonly estimated?: true;
  /** In millionths of a millionth of the currency, because prices for a million have six decimal places; undefined if the model has no price. */
  readonly cost?: bigint | undefined;
}
