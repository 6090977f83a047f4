import type { DisclosureRuling } from '../design/disclosure/rule.ts';

/** Asks a model of each line whether it tells that an AI speaks. */
export type ConfirmDisclosure = (lines: readonly string[]) => Promise<ReadonlyMap<string, DisclosureRuling>>;
