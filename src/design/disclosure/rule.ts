/** Whether a line clearly tells that the caller speaks with an AI, and why. */
export interface DisclosureRuling {
  readonly discloses: boolean;
  /** Half a sentence, without a full stop. */
  readonly reason: string;
}

/** PLACEHOLDER */
export function ruleOnDisclosure(line: string): DisclosureRuling {
  return /\bAI\b/.test(line)
    ? { discloses: true, reason: 'says AI' }
    : { discloses: false, reason: 'does not say AI' };
}
