import type { TemplateField } from './template.ts';

/** A field that several templates have, each with a sample of its own. */
type SharedField = (sample: string) => TemplateField;

export const businessName: SharedField = (sample) => ({
  key: 'businessName',
  label: 'Name of the business, as callers know it',
  kind: 'text',
  required: true,
  sample,
});

export const assistantName: SharedField = (sample) => ({
  key: 'assistantName',
  label: 'Name of the assistant',
  kind: 'text',
  required: false,
  sample,
});

export const openingHours: SharedField = (sample) => ({
  key: 'openingHours',
  label: 'Opening hours, as they are said aloud',
  kind: 'text',
  required: true,
  sample,
});

export const transferNumber: SharedField = (sample) => ({
  key: 'transferNumber',
  label: 'Phone number that callers are put through to',
  kind: 'phone',
  required: true,
  sample,
});

export const notifyNumber: SharedField = (sample) => ({
  key: 'notifyNumber',
  label: 'Mobile number that is told by SMS what callers left',
  kind: 'phone',
  required: true,
  sample,
});
