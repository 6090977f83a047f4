import * as v from 'valibot';

/** Where the specification gives a string no bounds (`decisions` 1). */
const maximumLength = 10_000;

/** Any text. */
export const Text = v.pipe(v.string(), v.maxLength(maximumLength));

/** The id of something in the document, or of a record: `string (>= 1)`. */
export const Id = v.pipe(v.string(), v.minLength(1), v.maxLength(maximumLength));

/**
 * A map from ids that the author of a document chose. Unlike valibot's record it keeps and checks members that are
 * called `constructor` or `prototype`; `__proto__` is refused before, wherever JSON comes in.
 */
export function idMap<Value extends v.GenericSchema>(value: Value) {
  const map = v.record(Id, value);
  return {
    ...map,
    '~run'(dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
      const sent = dataset.value;
      if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
        return map['~run'](dataset, config);
      const input: Record<string, unknown> = { ...sent };
      const issues: v.BaseIssue<unknown>[] = [];
      for (const [key, member] of Object.entries(input)) {
        const item = { type: 'object', origin: 'value', input, key, value: member } as const;
        for (const { path = [], ...issue } of map.key['~run']({ value: key }, config).issues ?? [])
          issues.push({ ...issue, path: [item, ...path] });
        for (const { path = [], ...issue } of value['~run']({ value: member }, config).issues ?? [])
          issues.push({ ...issue, path: [item, ...path] });
      }
      const [first, ...more] = issues;
      return first
        ? { typed: false, value: sent, issues: [first, ...more] }
        : { typed: true, value: sent as Record<string, v.InferOutput<Value>> };
    },
  } as typeof map;
}
