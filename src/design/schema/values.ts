import * as v from 'valibot';

/** Characters, for strings whose length the contract does not bound (`decisions#members`). */
const maximumLength = 10_000;

export const Text = v.pipe(v.string(), v.maxCodePoints(maximumLength));

export const Id = v.pipe(v.string(), v.minLength(1), v.maxCodePoints(maximumLength));

function isIdLength(length: number): boolean {
  return length >= 1 && length <= maximumLength;
}

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
      const input = sent as Record<string, unknown>;
      const issues: v.BaseIssue<unknown>[] = [];
      for (const [key, member] of Object.entries(input)) {
        if (issues.length > 0 && config.abortEarly) break;
        // A key is a text, so only its length can be wrong. Most maps are large, and most keys are right.
        const ofKey = isIdLength(key.length) ? undefined : map.key['~run']({ value: key }, config).issues;
        const ofMember = value['~run']({ value: member }, config).issues;
        if (!ofKey && !ofMember) continue;
        const item = { type: 'object', origin: 'value', input, key, value: member } as const;
        for (const { path = [], ...issue } of [...(ofKey ?? []), ...(ofMember ?? [])])
          issues.push({ ...issue, path: [item, ...path] });
      }
      const [first, ...more] = issues;
      return first
        ? { typed: false, value: sent, issues: [first, ...more] }
        : { typed: true, value: sent as Record<string, v.InferOutput<Value>> };
    },
  } as typeof map;
}

type Kind = v.StrictObjectSchema<
  { readonly kind: v.LiteralSchema<string, undefined> } & v.ObjectEntries,
  undefined
>;

/**
 * One of these objects, chosen by its `kind`. `v.variant` tries one after the other, and makes an issue for each that
 * is not meant, which took 4 % of the CPU of editing a design of 200 steps.
 */
export function oneOfKinds<const Kinds extends readonly [Kind, ...Kind[]]>(kinds: Kinds) {
  const variant = v.variant('kind', kinds as unknown as [Kind, ...Kind[]]);
  const byKind = new Map<unknown, Kind>(kinds.map((one) => [one.entries.kind.literal, one]));
  const chosen: typeof variant = {
    ...variant,
    '~run'(dataset, config) {
      const sent = dataset.value;
      const kind =
        typeof sent === 'object' && sent !== null && 'kind' in sent ? byKind.get(sent.kind) : undefined;
      return kind ? kind['~run'](dataset, config) : variant['~run'](dataset, config);
    },
  };
  return chosen as unknown as v.VariantSchema<'kind', [...Kinds], undefined>;
}

/**
 * One of two objects: the first if it has a member of this name. `v.union` reports that neither fits, but not what is wrong
 * with the one that is meant.
 */
export function chosenBy<const First extends v.GenericSchema, const Second extends v.GenericSchema>(
  member: string,
  first: First,
  second: Second,
) {
  const union = v.union([first, second]);
  const choose = (sent: unknown) =>
    typeof sent === 'object' && sent !== null && Object.hasOwn(sent, member) ? first : second;
  const chosen: typeof union = {
    ...union,
    '~run': (dataset, config) => choose(dataset.value)['~run'](dataset, config),
  };
  return { ...chosen, chosenBy: member, choose };
}
