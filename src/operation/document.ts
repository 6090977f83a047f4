import * as v from 'valibot';
import { checkShape } from './input.ts';
import { isJsonObject } from './json.ts';

/** A JSON document with its own schema, to which published schemas refer by name. */
export interface Document {
  readonly name: string;
  readonly schema: v.GenericSchema;
}

/** A document to store: its JSON text, and the value that the text stands for. */
export interface JsonDocument {
  readonly json: string;
  readonly value: unknown;
}

const documents = new WeakMap<object, Document>();

const checkedValues = new WeakSet<object>();

/** Marks a document that was checked and is not changed any more: as an output it is not checked again. */
export function markChecked<Value extends object>(value: Value): Value {
  checkedValues.add(value);
  return value;
}

const texts = new WeakMap<object, string>();

/**
 * The JSON text of a document that {@link markChecked} marked. It is made once, to be stored and to be returned: for a
 * design of 200 steps it takes 5 % of the CPU of an edit.
 */
function documentText(value: object): string {
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = JSON.stringify(value);
  if (isChecked(value)) texts.set(value, text);
  return text;
}

/** A document that {@link markChecked} marked, to be stored. */
export function storedDocument(value: object): JsonDocument {
  return { json: documentText(value), value };
}

/** The JSON text of an output, which uses the texts of the documents that are its members. */
export function outputText(value: unknown): string {
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).flatMap(([name, member]) => {
    const text = isChecked(member) ? documentText(member) : JSON.stringify(member);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${members.join(',')}}`;
}

function isChecked(value: unknown): value is object {
  return typeof value === 'object' && value !== null && checkedValues.has(value);
}

/**
 * The schema of an input or output that is such a document. It reports every problem at once and keeps the document
 * as it was sent, with the order of its members. Ids inside a document are not references of the operation.
 */
export function document<Schema extends v.GenericSchema>(name: string, schema: Schema) {
  const held = {
    ...v.unknown(),
    '~run'(dataset: v.UnknownDataset) {
      const input = dataset.value;
      if (isChecked(input)) return { typed: true, value: input };
      // `jsonProblems` checks the whole input that holds the document.
      const issues = checkShape(schema, input).problems.map(({ path, message }) =>
        issueAt(input, path, message),
      );
      const [first, ...more] = issues;
      return first ? { typed: false, value: input, issues: [first, ...more] } : { typed: true, value: input };
    },
  } as v.GenericSchema<v.InferOutput<Schema>>;
  documents.set(held, { name, schema });
  return held;
}

/** The document of such a schema; undefined for other schemas. */
export function documentOf(schema: object): Document | undefined {
  return documents.get(schema);
}

/** An issue of valibot, with its path from the top of the document. */
function issueAt(input: unknown, path: readonly (string | number)[], message: string): v.BaseIssue<unknown> {
  let at = input;
  const items = path.map((key) => {
    const item = { type: 'unknown', origin: 'value', input: at, key, value: member(at, key) } as const;
    at = item.value;
    return item;
  });
  const [first, ...more] = items;
  const issue = {
    kind: 'validation',
    type: 'document',
    input,
    expected: null,
    received: 'unknown',
    message,
  } as const;
  return first ? { ...issue, path: [first, ...more] } : issue;
}

function member(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string | number, unknown>)[key]
    : undefined;
}
