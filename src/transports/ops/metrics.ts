import { setTimeout as delay } from 'node:timers/promises';
import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  Registry,
} from 'prom-client';
import type { JobCounts } from '../../jobs/listing.ts';
import type { PoolUse } from '../../platform/private-members/knex.ts';
import type { TurnMetrics } from '../../resources/sessions/playing/sessions.ts';
import type { UpstreamMetrics } from '../../services/models/upstream.ts';
import { clientLeft, type RequestMetrics } from '../http/request-metrics.ts';

/** What the metrics read when they are collected. The core implements it. */
export interface Measured {
  /** The use of the database connections, by the name of the pool. */
  poolUses(): Readonly<Record<string, PoolUse>>;
  countJobs(): Promise<JobCounts>;
  /** Usage events that are not written yet. */
  readonly unwrittenUsage: number;
}

/** The metrics of this process. */
export interface Metrics {
  readonly requests: RequestMetrics;
  readonly upstreams: UpstreamMetrics;
  readonly turns: TurnMetrics;
  readonly contentType: string;
  /** Adds the metrics of an open core. */
  measure(measured: Measured): void;
  /** The metrics in Prometheus' text format. */
  text(): Promise<string>;
}

/** Seconds: from a point read to a long model call. */
const callBuckets = [0.005, 0.025, 0.1, 0.25, 1, 2.5, 10, 60];

/** Milliseconds that a collection waits for the count of jobs. It must end even if the database is frozen. */
const jobsTimeout = 1_000;

/**
 * Opens the metrics of this process. Labels come from the registry and the configuration, never from a request, so a
 * client cannot add series.
 */
export function openMetrics({
  version,
  gitSha,
}: {
  readonly version: string;
  readonly gitSha: string;
}): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addGauge(registry, {
    name: 'parley_build_info',
    help: 'The running build; always 1.',
    labelNames: ['version', 'git_sha'],
    collect() {
      this.set({ version, git_sha: gitSha }, 1);
    },
  });
  return {
    requests: requestMetrics(registry),
    upstreams: upstreamMetrics(registry),
    turns: turnMetrics(registry),
    contentType: registry.contentType,
    measure: (measured) => measureCore(measured, registry),
    text: () => registry.metrics(),
  };
}

/** Adds a metric that is read when the metrics are collected. */
function addGauge<Label extends string>(registry: Registry, configuration: GaugeConfiguration<Label>): void {
  registry.registerMetric(new Gauge({ ...configuration, registers: [] }));
}

function requestMetrics(registry: Registry): RequestMetrics {
  const calls = new Counter({
    registers: [registry],
    name: 'parley_calls_total',
    help: 'Calls of operations, by class of status. Operation "none" stands for requests that call none.',
    labelNames: ['operation', 'transport', 'status'],
  });
  const seconds = new Histogram({
    registers: [registry],
    name: 'parley_call_duration_seconds',
    help: 'Seconds from the start of a call to the end of its response.',
    labelNames: ['operation', 'transport'],
    buckets: callBuckets,
  });
  let open = 0;
  addGauge(registry, {
    name: 'parley_http_requests_in_flight',
    help: 'HTTP requests whose response has not ended.',
    collect() {
      this.set(open);
    },
  });
  return {
    requestBegins() {
      open += 1;
    },
    requestEnds() {
      open -= 1;
    },
    callEnds({ operation = 'none', transport, status, began }) {
      calls.inc({ operation, transport, status: classOf(status) });
      seconds.observe({ operation, transport }, (performance.now() - began) / 1_000);
    },
  };
}

/** `2xx` to `5xx`, and `client_left`. */
function classOf(status: number): string {
  return status === clientLeft ? 'client_left' : `${Math.floor(status / 100)}xx`;
}

function upstreamMetrics(registry: Registry): UpstreamMetrics {
  const calls = new Counter({
    registers: [registry],
    name: 'parley_upstream_calls_total',
    help: 'Calls of model providers. "not_called" means that the provider failed too often a moment ago.',
    labelNames: ['provider', 'outcome'],
  });
  const seconds = new Histogram({
    registers: [registry],
    name: 'parley_upstream_response_seconds',
    help: 'Seconds from the start of a call of a model provider to its response. A stream counts until it begins.',
    labelNames: ['provider'],
    buckets: callBuckets,
  });
  return {
    callEnds({ provider, outcome, began }) {
      calls.inc({ provider, outcome });
      if (outcome !== 'not_called') seconds.observe({ provider }, (performance.now() - began) / 1_000);
    },
  };
}

function turnMetrics(registry: Registry): TurnMetrics {
  const seconds = new Histogram({
    registers: [registry],
    name: 'parley_session_turn_duration_seconds',
    help: 'Seconds that a turn of a session takes, with its models and requests.',
    labelNames: ['outcome'],
    buckets: callBuckets,
  });
  const limits = new Counter({
    registers: [registry],
    name: 'parley_session_limits_reached_total',
    help: 'Turns of sessions that reached a limit: one of their session, web agent or project, or one of the call itself.',
    labelNames: ['scope', 'kind'],
  });
  let open = 0;
  addGauge(registry, {
    name: 'parley_session_turns_in_flight',
    help: 'Turns of sessions that are being played.',
    collect() {
      this.set(open);
    },
  });
  return {
    turnBegins() {
      open += 1;
    },
    turnEnds({ outcome, began }) {
      open -= 1;
      seconds.observe({ outcome }, (performance.now() - began) / 1_000);
    },
    limitReached({ scope, kind }) {
      limits.inc({ scope, kind });
    },
  };
}

function measureCore(measured: Measured, registry: Registry): void {
  addGauge(registry, {
    name: 'parley_database_connections',
    help: 'Open connections to the database.',
    labelNames: ['pool', 'state'],
    collect() {
      for (const [pool, { used, free }] of Object.entries(measured.poolUses())) {
        this.set({ pool, state: 'used' }, used);
        this.set({ pool, state: 'free' }, free);
      }
    },
  });
  addGauge(registry, {
    name: 'parley_database_connections_max',
    help: 'The most connections that a pool opens.',
    labelNames: ['pool'],
    collect() {
      for (const [pool, { most }] of Object.entries(measured.poolUses())) this.set({ pool }, most);
    },
  });
  addGauge(registry, {
    name: 'parley_database_waiting',
    help: 'What waits for the database: for a connection of a pool, or in "point" for the result of a statement.',
    labelNames: ['pool'],
    collect() {
      for (const [pool, { waiting }] of Object.entries(measured.poolUses())) this.set({ pool }, waiting);
    },
  });
  addGauge(registry, {
    name: 'parley_usage_events_unwritten',
    help: 'Usage events in memory that the database does not have yet.',
    collect() {
      this.set(measured.unwrittenUsage);
    },
  });
  measureJobs(measured, registry);
}

/** If the database does not respond, the metrics of jobs are missing, because old ones would look like a quiet queue. */
function measureJobs(measured: Measured, registry: Registry): void {
  const ofQueue = { queue: 'indexing' };
  let counting: Promise<JobCounts | undefined> | undefined;
  const count = () => {
    counting ??= measured
      .countJobs()
      .catch(() => undefined)
      .finally(() => {
        counting = undefined;
      });
    return Promise.race([counting, delay(jobsTimeout, undefined, { ref: false })]);
  };
  addGauge(registry, {
    name: 'parley_jobs',
    help: 'Jobs of all replicas. A failed job is counted for 30 days, or until its source is indexed again or deleted.',
    labelNames: ['queue', 'state'],
    async collect() {
      const counts = await count();
      this.reset();
      if (!counts) return;
      for (const state of ['waiting', 'active', 'failed'] as const)
        this.set({ ...ofQueue, state }, counts[state]);
    },
  });
  addGauge(registry, {
    name: 'parley_jobs_oldest_waiting_seconds',
    help: 'How long the oldest waiting job could have begun.',
    labelNames: ['queue'],
    async collect() {
      const counts = await count();
      this.reset();
      if (counts) this.set(ofQueue, counts.oldestWaiting);
    },
  });
}
