import * as v from 'valibot';
import { LongText, type LongTextEncoding } from '../platform/long-text.ts';

/** A file as a text of JSON: a string, or a long text that was decoded while it arrived. */
export type FileText = string | LongText;

interface FileTextSchema extends v.GenericSchema<FileText> {
  readonly fileEncoding: LongTextEncoding;
}

/** The schema of a text that may be as long as a file. Documents show it as a string. */
export function fileText(encoding: LongTextEncoding): v.GenericSchema<FileText> {
  const text = v.string();
  const schema: FileTextSchema = {
    ...(text as v.GenericSchema<FileText>),
    fileEncoding: encoding,
    '~run': (dataset, config) =>
      dataset.value instanceof LongText
        ? { typed: true, value: dataset.value }
        : text['~run'](dataset, config),
  };
  return schema;
}

/** Of a schema below `optional` and `pipe`. */
export function encodingOf(schema: object): LongTextEncoding | undefined {
  if ('fileEncoding' in schema) return (schema as FileTextSchema).fileEncoding;
  return 'wrapped' in schema ? encodingOf(schema.wrapped as object) : undefined;
}
