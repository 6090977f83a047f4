import { setTimeout as delay } from 'node:timers/promises';
import {
  type Attributes,
  type Context,
  context,
  DiagLogLevel,
  defaultTextMapGetter,
  defaultTextMapSetter,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Log } from '../log.ts';
import { type OpenSpan, type SpanAttributes, type SpanStart, type Tracing, traceWith } from './spans.ts';

/** Milliseconds in which a stop sends the last spans. */
const closingLimit = 2_000;

const kinds = {
  server: SpanKind.SERVER,
  internal: SpanKind.INTERNAL,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
};

/**
 * Traces this process, and sends its spans to the OTLP receiver that the variables of OpenTelemetry name. Returns a function
 * that sends the last spans. Spans are made by hand, because modules of a bundle cannot be patched.
 */
export function openTracing(version: string, log: Log): () => Promise<void> {
  // The exporter reports here that a receiver does not respond. The text names no value.
  const report = (message: string) => log.warn({ reason: message }, 'traces');
  const ignore = () => undefined;
  diag.setLogger(
    { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'parley', 'service.version': version }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  const manager = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(manager);
  const tracer = provider.getTracer('parley', version);
  const propagator = new W3CTraceContextPropagator();
  const tracing: Tracing = {
    within<Result>({ name, kind, attributes, caller }: SpanStart, work: (span: OpenSpan) => Result): Result {
      const parent = caller ? callerContext(propagator, caller) : context.active();
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes: present(attributes) }, parent);
      return context.with(trace.setSpan(parent, span), () => work(openSpan(span)));
    },
    traceId: () => trace.getActiveSpan()?.spanContext().traceId,
    headers() {
      const carrier: Record<string, string> = {};
      propagator.inject(context.active(), carrier, defaultTextMapSetter);
      return carrier;
    },
  };
  traceWith(tracing);
  return async () => {
    await Promise.race([
      provider.shutdown().catch((error: unknown) => report(String(error))),
      delay(closingLimit, undefined, { ref: false }),
    ]);
    traceWith(undefined);
    context.disable();
    diag.disable();
  };
}

function callerContext(
  propagator: W3CTraceContextPropagator,
  headers: NonNullable<SpanStart['caller']>,
): Context {
  return propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
}

function openSpan(span: Span): OpenSpan {
  return {
    traceId: span.spanContext().traceId,
    end({ name, attributes, failure }) {
      if (name !== undefined) span.updateName(name);
      span.setAttributes(present(attributes));
      if (failure !== undefined) {
        span.setAttribute('error.type', failure);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}

function present(attributes: SpanAttributes = {}): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}
