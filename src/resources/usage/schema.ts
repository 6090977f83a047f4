import * as v from 'valibot';

/** A sum of quantities (service-api#usage). */
export const UsageTotal = v.strictObject({
  service: v.picklist(['tts', 'stt', 's2s', 'llm', 'kb', 'voice_minutes']),
  mode: v.nullable(v.picklist(['realtime', 'batch', 'playground'])),
  metric: v.picklist(['seconds', 'tokens_in', 'tokens_out', 'chars', 'minutes', 'requests']),
  quantity: v.number(),
});

export const Granularity = v.picklist(['hour', 'day', 'week', 'month']);
