import type { Knex } from 'knex';
import { activeTracing, failureOf, type OpenSpan, statementSpan } from '../platform/tracing/spans.ts';

/** What Knex reports of a statement. The text has placeholders for the values. */
interface Reported {
  readonly __knexQueryUid: string;
  readonly sql: string;
}

/** Puts the statements of a pool into spans, if they belong to a trace. */
export function traceStatements(knex: Knex): void {
  const open = new Map<string, OpenSpan>();
  const end = ({ __knexQueryUid: id }: Reported, failure?: string) => {
    open.get(id)?.end({ failure });
    open.delete(id);
  };
  knex.on('query', ({ __knexQueryUid: id, sql }: Reported) => {
    const tracing = activeTracing();
    if (tracing?.traceId() === undefined) return;
    tracing.within(statementSpan(sql), (span) => open.set(id, span));
  });
  knex.on('query-response', (_response: unknown, reported: Reported) => end(reported));
  knex.on('query-error', (error: unknown, reported: Reported) => end(reported, failureOf(error)));
}
