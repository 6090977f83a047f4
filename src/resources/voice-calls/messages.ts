import * as v from 'valibot';

const Name = v.pipe(v.string(), v.minLength(1), v.maxCodePoints(200));

/** A call that a worker answers. Without `web` and `phone`, the room has a session already. */
export const Answer = v.strictObject({
  room: Name,
  worker: Name,
  projectId: v.exactOptional(Name),
  web: v.exactOptional(
    v.strictObject({ webAgentId: Name, conversationId: Name, version: v.pipe(v.number(), v.integer()) }),
  ),
  phone: v.exactOptional(v.strictObject({ phoneNumberId: Name, callerPhone: v.nullable(Name) })),
});

/** What a worker says of itself every two seconds. */
export const Heartbeat = v.strictObject({
  worker: Name,
  capacity: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000)),
  rooms: v.pipe(v.array(Name), v.maxLength(10_000)),
  isDraining: v.boolean(),
});
