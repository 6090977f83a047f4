import * as v from 'valibot';
import type { UsageTotal as StoredTotal } from './store.ts';

/** A sum of quantities (service-api#usage). `cost` and `currency` if models have prices (`decisions#costs`). */
export const UsageTotal = v.strictObject({
  service: v.picklist(['tts', 'stt', 's2s', 'llm', 'kb', 'voice_minutes']),
  mode: v.nullable(v.picklist(['realtime', 'batch', 'playground'])),
  metric: v.picklist(['seconds', 'tokens_in', 'tokens_out', 'chars', 'minutes', 'requests']),
  quantity: v.number(),
  cost: v.exactOptional(v.string()),
  currency: v.exactOptional(v.string()),
});

export const Granularity = v.picklist(['hour', 'day', 'week', 'month']);

/** A total with the currency of its cost; without a cost if no prices are configured. */
export function withCurrency<Total extends StoredTotal>(
  { cost, ...total }: Total,
  currency: string | undefined,
): Omit<Total, 'cost'> & { cost?: string; currency?: string } {
  return { ...total, ...(cost !== undefined && currency !== undefined && { cost, currency }) };
}
