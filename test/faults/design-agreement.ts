import { isDeepStrictEqual } from 'node:util';
import type { Problem } from '../../src/design/problem.ts';

/** A response of REST or MCP. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

interface Verdict {
  readonly valid: boolean;
  readonly problems: readonly Problem[];
  readonly design: unknown;
}

interface Refusal {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details?: { readonly issues?: readonly Issue[] };
  };
}

interface Issue {
  readonly stepId?: string;
  readonly path?: string;
  readonly message: string;
}

/** The most issues that an error lists. */
const mostIssues = 100;

/** Returns the differences between the validation and the write of the same design. */
export function disagreements(validated: Reply, wrote: Reply): string[] {
  if (validated.status !== 200) return refusedAlike(validated, wrote);
  const { valid, problems, design } = validated.body as Verdict;
  const errors = problems.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (valid !== (first === undefined)) return [`valid is ${valid} with ${errors.length} errors`];
  if (first === undefined) {
    if (wrote.status !== 201) return [`valid, but the write returns ${said(wrote)}`];
    const stored = (wrote.body as { design: unknown }).design;
    return isDeepStrictEqual(stored, design) ? [] : ['validated as another design than it was stored'];
  }
  if (wrote.status === 201) return [`stored although ${first.code} at ${first.path}`];
  const { error } = wrote.body as Refusal;
  if (error.code !== first.code) return [`${first.code} validated, ${error.code} written`];
  const alike = errors.filter(({ code }) => code === first.code);
  return issuesDiffer(error.details?.issues, expectedIssues(first.code, alike), alike.length)
    ? [`${first.code}: other issues: ${JSON.stringify(error.details?.issues).slice(0, 300)}`]
    : [];
}

/** Input that is not a design must cause the same error in both. */
function refusedAlike(validated: Reply, wrote: Reply): string[] {
  const [one, other] = [said(validated), said(wrote)];
  if (one !== other) return [`validate returns ${one}, write returns ${other}`];
  const told = new Set(issuesOf(wrote).map((issue) => JSON.stringify(issue)));
  const missing = issuesOf(validated).filter((issue) => !told.has(JSON.stringify(issue)));
  return missing.length > 0 && told.size < mostIssues
    ? [`write does not tell ${JSON.stringify(missing[0])}`]
    : [];
}

/** Returns the issues of the error that a write must return; undefined if the error has none. */
function expectedIssues(code: string, problems: readonly Problem[]): Issue[] | undefined {
  switch (code) {
    case 'not_found':
    case 'plan_limit_exceeded':
      return undefined;
    case 'invalid_request':
      return problems.map(({ path, message }) => ({ path: `/design${path}`, message }));
    case 'design_invalid':
      return problems.map(({ stepId, path, message }) => ({ stepId, message: `${path}: ${message}` }));
    default:
      return problems.map(({ stepId, path, message }) => ({ stepId, path, message }));
  }
}

function issuesDiffer(
  issues: readonly Issue[] | undefined,
  expected: readonly Issue[] | undefined,
  count: number,
) {
  if (!issues || !expected) return issues !== expected;
  const text = ({ stepId, path, message }: Issue) => JSON.stringify([stepId, path, message]);
  const wanted = new Set(expected.map(text));
  return issues.length !== Math.min(count, mostIssues) || issues.some((issue) => !wanted.has(text(issue)));
}

function said({ status, body }: Reply): string {
  return `${status} ${(body as Partial<Refusal>).error?.code ?? ''}`;
}

function issuesOf({ body }: Reply): readonly Issue[] {
  return (body as Refusal).error.details?.issues ?? [];
}
