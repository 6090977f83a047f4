import { toolsOf } from '../../environment/selection.ts';
import { restOperations, type Toolsets } from '../../environment/toolsets.ts';
import type { Tool } from '../../operation/define.ts';
import { honoursIdempotencyKey } from '../../operation/idempotency.ts';
import { hasBody, keepsUnknown, restName } from '../../operation/input.ts';
import { documentSchemas, inputSchemas, outputSchema } from '../../operation/json-schema.ts';
import type { JsonObject } from '../../operation/result.ts';
import { errorStatus } from '../../platform/errors.ts';
import { errorComponents, errorResponses } from './openapi-errors.ts';
import recordedExchanges from './openapi-examples.json' with { type: 'json' };
import { sessionPaths, sessionTag, sessionTokenScheme } from './openapi-sessions.ts';

/** An exchange of an operation, which a test has recorded (test/contract/openapi-examples.test.ts). */
interface Exchange {
  readonly parameters?: JsonObject;
  readonly request?: unknown;
  readonly response?: unknown;
}

const exchanges: Readonly<Record<string, Exchange>> = recordedExchanges;

const issue = {
  type: 'object',
  properties: {
    in: { enum: ['body', 'params', 'querystring'] },
    path: { type: 'string', description: 'JSON pointer (RFC 6901) into that part.' },
    message: { type: 'string' },
  },
  required: ['in', 'path', 'message'],
  additionalProperties: false,
};

const errorSchema = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {
        code: { enum: Object.keys(errorStatus), description: 'Branch on this, never on the message.' },
        message: { type: 'string' },
        requestId: { type: 'string', description: 'Equals the header x-request-id.' },
        details: { type: 'object', description: 'On some 4xx; `issues` lists every problem at once.' },
      },
      required: ['code', 'message', 'requestId'],
      additionalProperties: false,
    },
  },
  required: ['error'],
  additionalProperties: false,
};

const detailSchema = {
  type: 'object',
  properties: {
    detail: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          loc: { type: 'array', items: { type: ['string', 'integer'] } },
          msg: { type: 'string' },
          type: { type: 'string' },
          input: {},
          ctx: { type: 'object' },
        },
        required: ['loc', 'msg', 'type'],
      },
    },
  },
  required: ['detail'],
  additionalProperties: false,
};

const headers = {
  RequestId: {
    description: 'The id of the request, for the log and for support.',
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'Seconds after which it is worth trying again.',
    schema: { type: 'integer', minimum: 0 },
  },
  RateLimit: {
    description: 'What is left of each limit (IETF draft, RateLimit header fields for HTTP).',
    schema: { type: 'string' },
  },
  RateLimitPolicy: { description: 'The limits that count this request.', schema: { type: 'string' } },
  Challenge: { description: 'The scheme of the key.', schema: { const: 'Bearer' } },
};

/** The version of the API's description that Parley serves (service-api#versioning). */
const contractVersion = '1.3.5';

/**
 * Returns the OpenAPI 3.1 document of a registry: every operation with its inputs, its responses and its errors, and
 * the addresses of sessions.
 * @param version of the program, which `x-parley-version` names
 */
export function openApiDocument(toolsets: Toolsets, version: string): JsonObject {
  const paths: Record<string, JsonObject> = {};
  const served = restOperations(toolsets);
  for (const [toolset, tools] of Object.entries(served))
    for (const tool of tools) {
      const { path, method } = tool.rest;
      paths[path] = { ...paths[path], [method.toLowerCase()]: operation(toolset, tool) };
    }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version: contractVersion,
      'x-parley-version': version,
      description:
        'A control plane for voice and chat agents. The same operations are served as MCP tools at /mcp.',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [
      ...Object.keys(toolsets).map((name) => ({ name, description: `Operations of the toolset ${name}.` })),
      sessionTag,
    ],
    security: [{ bearer: [] }, { apiKey: [] }],
    paths: { ...paths, ...sessionPaths() },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        ...sessionTokenScheme,
      },
      schemas: {
        Error: errorSchema,
        Issue: issue,
        ValidationDetail: detailSchema,
        ...documentSchemas(toolsOf(served)),
      },
      headers,
      responses: errorComponents(toolsOf(served)),
    },
  };
}

const requestId = { 'x-request-id': { $ref: '#/components/headers/RequestId' } };

function operation(toolset: string, tool: Tool): JsonObject {
  const { name, title, description, rest, special } = tool;
  const { parameters: values = {}, request, response }: Exchange = exchanges[name] ?? {};
  const { properties, required } = inputSchemas(tool);
  const inputs = Object.entries(properties).flatMap(([input, { description: about, ...schema }]) => {
    const placement = rest.from[input];
    const described = about === undefined ? {} : { description: about };
    return placement === undefined ? [] : [{ input, placement, described, schema }];
  });
  const parameters = inputs
    .filter(({ placement }) => placement !== 'body')
    .map(({ input, placement, described, schema }) => ({
      name: restName(tool, input),
      in: placement === 'query' ? 'query' : 'path',
      required: placement !== 'query' || required.includes(input),
      ...described,
      // An object in a query is JSON text.
      ...(schema['type'] === 'object'
        ? { content: { 'application/json': { schema, ...exampleOf(values[restName(tool, input)]) } } }
        : { schema, ...exampleOf(values[restName(tool, input)]) }),
    }));
  const members = inputs.filter(({ placement }) => placement === 'body');
  const body = {
    type: 'object',
    properties: {
      ...Object.fromEntries(
        members.map(({ input, described, schema }) => [input, { ...schema, ...described }]),
      ),
      ...ignored(special.ignoredMembers),
    },
    ...requiredOf(members.map(({ input }) => input).filter((input) => required.includes(input))),
    additionalProperties: keepsUnknown(tool),
  };
  return {
    operationId: name,
    summary: title,
    description,
    tags: [toolset],
    'x-access': tool.access,
    ...(tool.access === 'none' && { security: [] }),
    ...(Object.keys(tool.inputAccess).length > 0 && {
      'x-input-access': Object.fromEntries(
        Object.entries(tool.inputAccess).map(([input, needed]) => [input, needed?.access]),
      ),
    }),
    ...((parameters.length > 0 || honoursIdempotencyKey(tool)) && {
      parameters: honoursIdempotencyKey(tool) ? [...parameters, idempotencyKey] : parameters,
    }),
    ...(hasBody(tool) &&
      members.length > 0 && {
        requestBody: {
          required: members.some(({ input }) => required.includes(input)),
          content: {
            ...(tool.file === undefined ? json(body, request) : form(body, tool.file, request)),
            ...alternative(body, tool),
          },
        },
      }),
    responses: {
      [rest.status]: { description: title, headers: requestId, content: content(tool, response) },
      ...errorResponses(tool),
    },
  };
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A request with the same key and input within 24 hours returns the first response and changes nothing.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};

/** Members of the record that a caller may send back (`decisions#members`). */
function ignored(members: readonly string[] = []): JsonObject {
  return Object.fromEntries(members.map((member) => [member, { description: 'Ignored.' }]));
}

function requiredOf(names: string[]): { required?: string[] } {
  return names.length > 0 ? { required: names } : {};
}

function content(tool: Tool, example: unknown): JsonObject {
  return {
    // An output of type never means that the operation returns bytes only.
    ...(tool.output.type !== 'never' && json(outputSchema(tool), example)),
    ...(tool.results.includes('events') && { 'text/event-stream': { schema: { type: 'string' } } }),
    ...((tool.results.includes('bytes') || tool.results.includes('relay')) && { '*/*': { schema: {} } }),
  };
}

/** The content of a form, whose file part has a media type instead of an encoding (OpenAPI 3.1, section 4.8.14.2). */
function form(schema: JsonObject & { properties: JsonObject }, file: string, example?: unknown): JsonObject {
  const { contentEncoding: _, ...described } = schema.properties[file] as JsonObject;
  const part = { ...described, contentMediaType: 'application/octet-stream' };
  return {
    'multipart/form-data': {
      schema: { ...schema, properties: { ...schema.properties, [file]: part } },
      ...exampleOf(example),
    },
  };
}

/** The form that an operation accepts in addition to JSON. */
function alternative(body: JsonObject & { properties: JsonObject }, { special }: Tool): JsonObject {
  if (!special.form) return {};
  const { [special.form.content]: file, ...properties } = body.properties;
  return form({ ...body, properties: { ...properties, file } }, 'file');
}

function json(schema: JsonObject, example: unknown): JsonObject {
  return { 'application/json': { schema, ...exampleOf(example) } };
}

function exampleOf(value: unknown): JsonObject {
  return value === undefined ? {} : { example: value };
}
