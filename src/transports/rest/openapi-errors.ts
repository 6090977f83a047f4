import type { Tool } from '../../operation/define.ts';
import { honoursIdempotencyKey } from '../../operation/idempotency.ts';
import { hasBody } from '../../operation/input.ts';
import type { JsonObject } from '../../operation/result.ts';
import { type ErrorCode, errorStatus } from '../../platform/errors.ts';

/** When an operation returns each code (`service-api#errors`, `decisions#added-codes`). */
const meanings: Readonly<Record<ErrorCode, string>> = {
  unauthorized: 'The key is missing, invalid or revoked.',
  forbidden: 'The type or the access of the key, or the state of the project, does not allow the operation.',
  not_found: 'A record that the request names does not exist, or belongs to another project.',
  invalid_request: 'The path, the query or the body is invalid. `details.issues` lists every problem.',
  payload_too_large: 'The request or its result is larger than the operation allows.',
  secret_keys_not_mintable: 'Only the command line creates secret keys.',
  not_yet_supported: 'The conversation is of kind simple and has no design.',
  unsupported_step: 'The stored design has a step of a kind that the API does not expose.',
  invalid_transition: 'A target names a step that the design does not contain.',
  invalid_route_option: 'An option of a route lacks its title, its description or its target.',
  invalid_layout_ref: 'The layout names a step that the design does not contain.',
  unknown_integration_ref: 'The design names an integration that the project does not have.',
  integration_kind_mismatch: 'The design gives an integration another kind than it has.',
  design_invalid: 'The design breaks a rule. `details.issues` lists `{stepId, message}`.',
  flow_schema_invalid: 'The flow configuration is invalid. `details.issues` lists `{path, message}`.',
  ai_disclosure_required: 'A changed line does not say clearly that the caller speaks with an AI.',
  simple_agent_invalid: 'The project is simple, and its agent cannot speak this flow.',
  plan_limit_exceeded: 'The plan has no room. `details` holds the limit, the current usage and the plan.',
  cannot_revoke_current_key: 'A key cannot revoke itself.',
  usage_unavailable: 'The usage is unavailable for the moment. Try again.',
  validation_unavailable: 'Validation is unavailable for the moment. Nothing was written. Try again.',
  agent_config_unavailable:
    'The agent configuration is unavailable for the moment. Nothing was written. Try again.',
  kb_query_unavailable: 'Knowledge search is unavailable for the moment. Try again.',
  internal_error: 'Something unexpected failed. Try again after a short delay.',
  version_conflict: 'The write is based on a version that is not the newest.',
  in_use: 'Another record refers to this one, or the number exists already.',
  version_rejected:
    'The version, or the one on which it builds, is rejected. `details` says by whom and why.',
  secret_shown_once:
    'The idempotency key stands for a request that succeeded, and only its first response held the secret. `details.result` is the rest of it.',
  rate_limited: 'Too many requests. Try again after the time in `Retry-After`.',
};

/** Returns an error response with one code and a meaning of its own. */
export function describedError(code: ErrorCode, description: string): JsonObject {
  return { ...errorResponse([code]), description };
}

/** Returns the error responses of an operation by status: those that its definition implies, and those that it states. */
export function errorResponses(tool: Tool): JsonObject {
  return Object.fromEntries(
    [...errorCodes(tool)].map(([status, codes]) => [status, responseOf(tool, status, codes)]),
  );
}

/** Returns the components that `errorResponses` refers to. */
export function errorComponents(tools: readonly Tool[]): JsonObject {
  const shared = new Set(
    tools.flatMap((tool) =>
      [...errorCodes(tool).values()].flatMap((codes) => (codes.length === 1 ? codes : [])),
    ),
  );
  const responses = [...shared].map((code) => [componentName(code), errorResponse([code])] as const);
  return { ...Object.fromEntries(responses), ...detailResponses };
}

/** Every operation can return the codes of `implied`; the rest is what its handler throws. */
function errorCodes(tool: Tool): Map<number, readonly ErrorCode[]> {
  const { access, references, rest, special } = tool;
  const isKeyed = access !== 'none';
  const namesRecords = references.length > 0 || rest.path.includes('{');
  const implied: readonly ErrorCode[] = [
    'invalid_request',
    ...(isKeyed ? (['unauthorized', 'forbidden', 'rate_limited'] as const) : []),
    ...(namesRecords ? (['not_found'] as const) : []),
    ...(hasBody(tool) ? (['payload_too_large'] as const) : []),
    'internal_error',
    ...(special.secretOutput && honoursIdempotencyKey(tool) ? (['secret_shown_once'] as const) : []),
    ...(special.unavailable ? [special.unavailable] : []),
  ];
  const byStatus = new Map<number, Set<ErrorCode>>();
  const add = (status: number, code: ErrorCode) =>
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code));
  for (const code of implied) add(errorStatus[code], code);
  for (const [status, codes] of Object.entries(tool.errors))
    for (const code of codes) add(Number(status), code);
  if (tool.envelope === 'detail') add(422, 'invalid_request');
  return new Map([...byStatus].map(([status, codes]) => [status, [...codes]]));
}

function responseOf(tool: Tool, status: number, codes: readonly ErrorCode[]): JsonObject {
  if (isModelCall(tool) && passedOn.has(status)) return referenceTo('PassedOn');
  if (tool.envelope === 'detail' && status === 422) return referenceTo('ValidationDetail');
  const [code, ...more] = codes;
  return code && more.length === 0 ? referenceTo(componentName(code)) : errorResponse(codes);
}

function referenceTo(response: string): JsonObject {
  return { $ref: `#/components/responses/${response}` };
}

/** `not_found` becomes `NotFound`. */
function componentName(code: ErrorCode): string {
  return code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function errorResponse(codes: readonly ErrorCode[]): JsonObject {
  const lines = codes.map((code) => `\`${code}\`: ${meanings[code]}`);
  return {
    description: lines.length === 1 ? lines.join('') : lines.map((line) => `- ${line}`).join('\n'),
    headers: headersFor(codes),
    content: { 'application/json': { schema: errorOf(codes) } },
  };
}

function headersFor(codes: readonly ErrorCode[]): JsonObject {
  const mayRetry = codes.some((code) => errorStatus[code] === 429 || errorStatus[code] >= 500);
  return {
    'x-request-id': { $ref: '#/components/headers/RequestId' },
    ...(mayRetry && { 'retry-after': { $ref: '#/components/headers/RetryAfter' } }),
    ...(codes.includes('rate_limited') && {
      ratelimit: { $ref: '#/components/headers/RateLimit' },
      'ratelimit-policy': { $ref: '#/components/headers/RateLimitPolicy' },
    }),
    ...(codes.includes('unauthorized') && { 'www-authenticate': { $ref: '#/components/headers/Challenge' } }),
  };
}

/** The error schema, narrowed to these codes. */
function errorOf(codes: readonly ErrorCode[]): JsonObject {
  const details = {
    type: 'object',
    properties: {
      issues: { type: 'array', minItems: 1, maxItems: 100, items: { $ref: '#/components/schemas/Issue' } },
    },
    required: ['issues'],
  };
  const isInvalidRequest = codes.length === 1 && codes.includes('invalid_request');
  const error = {
    properties: { code: { enum: codes }, ...(isInvalidRequest && { details }) },
    ...(isInvalidRequest && { required: ['details'] }),
  };
  return {
    allOf: [
      { $ref: '#/components/schemas/Error' },
      { type: 'object', properties: { error: { type: 'object', ...error } } },
    ],
  };
}

/** True if the operation calls a model: it passes on some errors of the model's server. */
function isModelCall({ envelope, results }: Tool): boolean {
  return envelope === 'detail' && results.length > 0;
}

/** The statuses of a model's server that callers see, with its body (decisions#model-proxy). */
const passedOn = new Set([400, 404, 409, 413, 415, 422]);

const detailResponses = {
  ValidationDetail: {
    description: 'The request is invalid.',
    headers: headersFor([]),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/ValidationDetail' } } },
  },
  PassedOn: {
    description:
      "The request is invalid, or the model's server refused it: the body is then the one of that server.",
    headers: headersFor([]),
    content: {
      'application/json': {
        schema: {
          anyOf: [
            { $ref: '#/components/schemas/Error' },
            { $ref: '#/components/schemas/ValidationDetail' },
            {
              type: 'object',
              properties: { detail: { not: {} }, error: { properties: { requestId: { not: {} } } } },
            },
          ],
        },
      },
      '*/*': { schema: {} },
    },
  },
};
