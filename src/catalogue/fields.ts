import type { TemplateField } from './template.ts';

/** A field that several templates have, each with its own sample. */
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
  label: 'Opening hours, as the assistant says them',
  kind: 'text',
  required: true,
  sample,
});

export const transferNumber: SharedField = (sample) => ({
  key: 'transferNumber',
  label: 'Phone number for transfers',
  kind: 'phone',
  required: true,
  sample,
});

export const notifyNumber: SharedField = (sample) => ({
  key: 'notifyNumber',
  label: 'Mobile number that receives the messages of callers by SMS',
  kind: 'phone',
  required: true,
  sample,
});
