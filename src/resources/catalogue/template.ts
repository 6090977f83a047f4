import type { Design } from '../../design/schema/design.ts';

export const fieldKinds = ['text', 'longText', 'phone', 'url'] as const;

export type FieldKind = (typeof fieldKinds)[number];

/** A part of a template that differs for each business. */
export interface TemplateField {
  readonly key: string;
  /** For the person who fills in the field. */
  readonly label: string;
  readonly kind: FieldKind;
  /** The sample is for trials only; real calls need a value. */
  readonly required: boolean;
  /** Used if no value is given. Phone numbers and hosts are from ranges reserved for examples. */
  readonly sample: string;
}

/** A conversation that is complete apart from its fields (`decisions#templates`). */
export interface Template {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  /** A name of the Lucide icon set. */
  readonly icon: string;
  readonly fields: readonly TemplateField[];
  /**
   * A complete design whose texts contain `[[key]]` for the value of a field. `{{variable}}` is something else: it is
   * filled during a call.
   */
  readonly design: Design;
}
