import { completes, type Reaction, type Received } from './upstream.ts';

/** A question to a model: the name of the response format, and the material. */
export interface Question {
  readonly name: string;
  readonly material: Record<string, unknown>;
}

interface Schema {
  readonly type: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly enum?: readonly unknown[];
}

export function questionIn({ body }: Received): Question {
  const { messages, response_format: format } = body;
  return { name: format.json_schema.name, material: JSON.parse(messages.at(-1).content) };
}

/** A model that answers in the form that each question asks for. Members that `answer` leaves out say nothing. */
export function fillsForm(answer: (question: Question) => object | undefined): Reaction {
  return completes((request) => {
    const { schema } = request.body.response_format.json_schema;
    return JSON.stringify({ ...Object(emptyOf(schema)), ...answer(questionIn(request)) });
  });
}

/** A model that gives each form, by its name, the same answer. */
export function fillsForms(answers: Readonly<Record<string, object>>): Reaction {
  return fillsForm(({ name }) => answers[name]);
}

/** The value of a schema that says nothing: null if it may be null, and the last one of an enumeration. */
function emptyOf({ type, properties = {}, enum: values }: Schema): unknown {
  if (type.includes('null')) return null;
  switch (type) {
    case 'object':
      return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, emptyOf(one)]));
    case 'array':
      return [];
    case 'boolean':
      return false;
    case 'string':
      return values?.at(-1) ?? '';
    default:
      throw new TypeError(`no empty value of the type ${String(type)}`);
  }
}
