import type { FieldKind, TemplateField } from './template.ts';

const fieldOf =
  (kind: FieldKind, required = true) =>
  (key: string, label: string, sample: string): TemplateField => ({ key, label, kind, required, sample });

const text = fieldOf('text');
export const optionalText = fieldOf('text', false);
export const longText = fieldOf('longText');
export const phone = fieldOf('phone');
export const url = fieldOf('url');

/** A field that several templates have, each with its own sample. */
type FieldWith = (sample: string) => TemplateField;

export const businessName: FieldWith = (sample) =>
  text('businessName', 'Name of the business, as callers know it', sample);
export const assistantName: FieldWith = (sample) =>
  optionalText('assistantName', 'Name of the assistant', sample);
export const openingHours: FieldWith = (sample) =>
  text('openingHours', 'Opening hours, as the assistant says them', sample);
export const transferNumber: FieldWith = (sample) =>
  phone('transferNumber', 'Phone number for transfers', sample);
export const notifyNumber: FieldWith = (sample) =>
  phone('notifyNumber', 'Mobile number that receives the messages of callers by SMS', sample);
