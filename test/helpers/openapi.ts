import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Toolsets } from '../../src/environment/toolsets.ts';
import { openApiDocument } from '../../src/transports/rest/openapi.ts';

interface Response {
  content?: Record<string, { schema: object }>;
  $ref?: string;
}

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>;
  components: { responses: Record<string, Response> };
}

/** Throws if the response does not match the OpenAPI document. */
export type CheckAnswer = (
  method: string,
  path: string,
  status: number,
  contentType: string | null,
  body: unknown,
) => void;

/** Compiling a schema takes up to a second, so all test files of a worker share one checker for each registry. */
const checkers = new WeakMap<Toolsets, CheckAnswer>();

/**
 * Returns a check of responses against the OpenAPI document of a registry. The response of an operation must have a
 * documented status and body. Every other response must have the error body.
 */
export function answerChecker(toolsets: Toolsets): CheckAnswer {
  const checker = checkers.get(toolsets) ?? makeChecker(toolsets);
  checkers.set(toolsets, checker);
  return checker;
}

function makeChecker(toolsets: Toolsets): CheckAnswer {
  const document = openApiDocument(toolsets, 'test') as unknown as Document;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addSchema(document, 'openapi');
  const compiled = new Map<object, ValidateFunction>();
  const validate = (schema: object) => {
    const known = compiled.get(schema);
    if (known) return known;
    const made = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')));
    compiled.set(schema, made);
    return made;
  };
  const routes = Object.entries(document.paths).map(([path, methods]) => ({
    methods,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  const resolve = (response: Response): Response => {
    const name = response.$ref?.split('/').at(-1);
    return (name && document.components.responses[name]) || response;
  };
  const otherRoute: Response = {
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };

  return (method, path, status, contentType, body) => {
    if (!contentType?.startsWith('application/json')) return;
    const [bare = ''] = path.split('?');
    const responses = routes.find(({ pattern }) => pattern.test(bare))?.methods[method.toLowerCase()]
      ?.responses;
    const response = resolve(responses ? (responses[String(status)] ?? {}) : otherRoute);
    const schema = response.content?.['application/json']?.schema;
    if (!schema)
      throw new Error(
        `${method} ${bare} returns ${status}, which docs/contract/openapi.json does not document`,
      );
    const check = validate(schema);
    if (!check(body)) throw new Error(`${method} ${bare} ${status}: ${ajv.errorsText(check.errors)}`);
  };
}
