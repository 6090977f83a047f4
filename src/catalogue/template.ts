import type { Design } from '../design/schema/design.ts';

/** What a field of a template takes. */
export const fieldKinds = ['text', 'longText', 'phone', 'url'] as const;

export type FieldKind = (typeof fieldKinds)[number];

/** Something of a template that is the business's own. */
export interface TemplateField {
  readonly key: string;
  /** For the person who fills it. */
  readonly label: string;
  readonly kind: FieldKind;
  /** True where the sample is good for trying out only. */
  readonly required: boolean;
  /** Stands in the design where nothing is given. Numbers and hosts are reserved ones that reach nobody. */
  readonly sample: string;
}

/** A conversation that is ready but for what is the business's own (`decisions` 10). */
export interface Template {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  /** A name of the Lucide icon set. */
  readonly icon: string;
  readonly fields: readonly TemplateField[];
  /**
   * Complete, with `[[key]]` where the text of a field goes, in texts only. Square brackets, so that it is never
   * taken for a `{{variable}}`, which stays as it is until a call.
   */
  readonly design: Design;
}
