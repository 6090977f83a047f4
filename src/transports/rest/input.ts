import type { RouterContext } from '@koa/router';
import type { Tool } from '../../operation/define.ts';
import { hasBody, keepsUnknown, type RawInput } from '../../operation/input.ts';
import type { TakeTurn } from '../../operation/invocation.ts';
import { longInputs } from '../../operation/long-input.ts';
import { gather, type RequestParts } from '../../operation/placement.ts';
import type { Issue } from '../../platform/errors.ts';
import type { Spool } from '../http/spool.ts';
import { jsonBodyReader } from './body.ts';
import { fileAsMembers, isForm, readForm } from './form.ts';

/** Reads one part of a request. `keep` receives the spool of an upload, which the caller closes. */
type Reader<Result> = (ctx: RouterContext, keep: (spool: Spool) => void, turn: TakeTurn) => Result;

const noQuery = new URLSearchParams();

/** Returns the reader of an operation's input: path, query and body. It is synchronous if there is no body to read. */
export function inputReader(tool: Tool): Reader<RawInput | Promise<RawInput>> {
  const readBody = bodyReader(tool);
  return (ctx, keep, turn) => {
    const issues: Issue[] = [];
    // The router and URLSearchParams pass a broken escape on unchanged.
    if (!isDecodable(ctx.path)) issues.push(brokenEscape('params'));
    if (!isDecodable(ctx.querystring)) issues.push(brokenEscape('querystring'));
    const { params } = ctx;
    const query = ctx.querystring === '' ? noQuery : new URLSearchParams(ctx.querystring);
    if (!readBody) return gather(tool, { params, query, body: undefined, issues });
    return readBody(ctx, keep, turn).then((read) =>
      gather(tool, { params, query, ...read, issues: [...issues, ...read.issues] }),
    );
  };
}

type BodyParts = Pick<RequestParts, 'body' | 'issues' | 'bytes' | 'fields'>;

/** Undefined for an operation whose requests have no body. */
function bodyReader(tool: Tool): Reader<Promise<BodyParts>> | undefined {
  const { bodyLimit, file, rest, special } = tool;
  if (!hasBody(tool)) return undefined;
  if (file !== undefined) return ({ req }, keep) => readForm(req, bodyLimit, file, keep);
  const hasBodyMembers = keepsUnknown(tool) || Object.values(rest.from).includes('body');
  const readJson = jsonBodyReader(bodyLimit, hasBodyMembers, longInputs(tool), keepsUnknown(tool));
  const { form } = special;
  if (!form) return (ctx, _, turn) => readJson(ctx, turn);
  return async (ctx, keep, turn) =>
    isForm(ctx.req)
      ? fileAsMembers(await readForm(ctx.req, bodyLimit, 'file', keep), form)
      : readJson(ctx, turn);
}

function isDecodable(text: string): boolean {
  if (!text.includes('%')) return true;
  try {
    decodeURIComponent(text);
    return true;
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}

function brokenEscape(place: Issue['in']): Issue {
  return { in: place, path: '', message: 'Has a broken percent escape.' };
}
