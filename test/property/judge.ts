import { createHash } from 'node:crypto';
import type { McpTool } from '../../src/environment/mcp-view.ts';
import { isJsonObject } from '../../src/operation/json.ts';
import { type ErrorCode, errorStatus, type Issue } from '../../src/platform/errors.ts';
import type { ErrorBody } from '../contract/doors.ts';
import type { Tenant, World } from '../helpers/world.ts';
import { resolvesIn, type SentParts, segmentsOf } from './sent.ts';

/** Codes that have a second status (`errors.ts`). */
const secondStatus: Partial<Record<ErrorCode, number>> = { plan_limit_exceeded: 422, usage_unavailable: 501 };

/** The parts that were sent, and the names that may be missing from each. */
export interface Sent {
  readonly parts: SentParts;
  readonly optional: Readonly<Record<Issue['in'], readonly string[]>>;
}

/** Describes a REST request. Its path parameters are never missing. */
export function sentOverRest(tool: McpTool, parts: SentParts): Sent {
  const placed = (place: string) =>
    Object.keys(tool.rest.from).filter((name) => tool.rest.from[name] === place);
  return { parts, optional: { params: [], querystring: placed('query'), body: placed('body') } };
}

/** Describes the arguments of an MCP call. They are not divided, so an issue may name any part of REST's. */
export function sentOverMcp({ input }: McpTool, sent: unknown): Sent {
  const names = Object.keys(input.entries);
  return {
    parts: { params: sent, querystring: sent, body: sent },
    optional: { params: names, querystring: names, body: names },
  };
}

/** True if a pointer leads to a value that was sent, or to an optional member that is missing. */
function pointsInto({ parts, optional }: Sent, place: Issue['in'] | undefined, path: string): boolean {
  // The path of an issue in a flow configuration or a design starts at the root of that document.
  if (!place) {
    const { flowSchema, design = flowSchema } = (parts.body ?? {}) as {
      flowSchema?: unknown;
      design?: unknown;
    };
    return resolvesIn(design, path);
  }
  const [name, ...inside] = segmentsOf(path) ?? [];
  if (name === undefined) return path === '';
  const part = parts[place];
  const there = isJsonObject(part) && Object.hasOwn(part, name);
  if (!there) return inside.length === 0 && optional[place].includes(name);
  // A query carries an object as JSON text.
  const sent = place === 'querystring' ? { ...part, [name]: parsed(part[name]) } : part;
  return resolvesIn(sent, path);
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** Returns what is wrong with an error: its code, its status, its members or the places that it names. */
export function errorProblems(error: ErrorBody, status: number | undefined, sent: Sent): string[] {
  const problems: string[] = [];
  const { code, message, requestId, details, ...more } = error;
  if (!Object.hasOwn(errorStatus, code)) return [`${code} is not a code of the closed list`];
  const statuses: (number | undefined)[] = [errorStatus[code], secondStatus[code]];
  if (status !== undefined && !statuses.includes(status)) problems.push(`${code} with status ${status}`);
  if (errorStatus[code] >= 500 && ![501, 503].includes(errorStatus[code])) problems.push(`answers ${code}`);
  if (!message || !requestId) problems.push('an error without message or requestId');
  if (Object.keys(more).length > 0) problems.push(`an error with ${Object.keys(more).join()}`);
  const issues = (details?.['issues'] ?? []) as readonly Partial<Issue>[];
  if (code === 'invalid_request' && issues.length === 0) problems.push('invalid_request without an issue');
  for (const { in: sentIn, message: said, ...issue } of issues) {
    // Over MCP, issues name arguments.
    const place = sentIn ?? (status === undefined && code === 'invalid_request' ? 'body' : undefined);
    // The message of design_invalid starts with the path (`decisions#order-of-design-errors`).
    const path = code === 'design_invalid' ? said?.split(': ', 1)[0] : issue.path;
    if (!said || path === undefined) problems.push('an issue without path or message');
    else if (!pointsInto(sent, place, path))
      problems.push(`an issue points at ${place} ${path}, where nothing was sent`);
  }
  return problems;
}

const leaks: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['SQL', /\b(?:select |insert into|update "|delete from)/i],
  ['a stack', /at file:|node_modules|\bat \S+ \(|\.ts:\d/],
  ['an address', /127\.0\.0\.1|::1\b|localhost|postgres(?:ql)?:\/\//],
  ['a key', /parley_[sp]k_[0-9A-Za-z]{12}/],
  ['a hash', /\$2[aby]\$|\$argon2|\\x[0-9a-f]{64}/],
];

/** Returns a function that finds secrets and internals in a response. Patterns from the request do not count. */
export function leakFinder(world: World, tenants: readonly Tenant[]) {
  const { password, port } = new URL(world.databaseUrl);
  const secrets = tenants.flatMap(({ key }) => {
    const hash = createHash('sha256').update(key).digest();
    return [key, hash.toString('hex'), hash.toString('base64')];
  });
  const texts = [...secrets, world.databaseUrl, `:${port}/`, password].filter((text) => text.length > 3);
  return (tool: McpTool, ok: boolean, answer: string, sent: string): string[] => {
    // Only the response that creates a key shows it, and only that of an upload, a chat or a file the address of the server.
    const shown =
      ok && (tool.special.secretOutput || tool.name === 'read_design')
        ? answer.replace(
            /(?<="key":")parley_[sp]k_\w{49}|(?<="(?:url|roomUrl)":")http:\/\/127\.0\.0\.1:\d+\/v1\/(?:uploads|web-sessions|design-files)\//,
            '',
          )
        : answer;
    const found = leaks.flatMap(([what, pattern]) => {
      const [match] = pattern.exec(shown) ?? [];
      return match !== undefined && !sent.includes(match) ? [`${what} in the answer: ${match}`] : [];
    });
    return [...found, ...texts.filter((text) => shown.includes(text)).map(() => 'a secret in the answer')];
  };
}
