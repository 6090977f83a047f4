import * as v from 'valibot';

/** Characters, for strings whose length the contract does not bound (`decisions#members`). */
const maximumLength = 10_000;

export const Text = v.pipe(v.string(), v.maxLength(maximumLength));

export const Id = v.pipe(v.string(), v.minLength(1), v.maxLength(maximumLength));

/**
 * A map whose keys are ids chosen by the author of a design. Unlike `v.record`, it keeps and checks members called
 * `constructor` or `prototype`. `__proto__` never arrives: every JSON reader rejects it.
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
