import type { Knex } from 'knex';
import { type ReportedStatement, statementId } from '../platform/private-members/knex.ts';
import { activeTracing, failureOf, type OpenSpan, statementSpan } from '../platform/tracing/spans.ts';

/** Puts the statements of a pool into spans, if they belong to a trace. */
export function traceStatements(knex: Knex): void {
  const open = new Map<string, OpenSpan>();
  const end = (reported: ReportedStatement, failure?: string) => {
    const id = statementId(reported);
    open.get(id)?.end({ failure });
    open.delete(id);
  };
  knex.on('query', (reported: ReportedStatement) => {
    const tracing = activeTracing();
    if (tracing?.traceId() === undefined) return;
    tracing.within(statementSpan(reported.sql), (span) => open.set(statementId(reported), span));
  });
  knex.on('query-response', (_response: unknown, reported: ReportedStatement) => end(reported));
  knex.on('query-error', (error: unknown, reported: ReportedStatement) => end(reported, failureOf(error)));
}
