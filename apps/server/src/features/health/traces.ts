import type { Span } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AppContext } from '#context.ts'
import { VERSION } from '#platform/version.ts'

const SERVICE = 'postil'
const TRACES = '/v1/traces'
/** How long to wait for the OpenTelemetry collector, including retries, in milliseconds. */
const TIMEOUT_MS = 2000

/**
 * Sends traces of requests and their store operations to an OpenTelemetry collector. Each request has one span, which continues
 * the caller's trace if the headers identify one. Each read and write has a child span. Routes and names come from the code; no
 * address, ID or value is sent.
 * @returns a function that flushes the pending spans and stops tracing
 */
export const startTraces = async (app: FastifyInstance, ctx: AppContext, collector: string): Promise<() => Promise<void>> => {
  // Loaded only when enabled
  const [
    api,
    { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider },
    exporter,
    resources,
    hooks,
    core,
  ] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/core'),
  ])
  const provider = new TracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': ctx.config.tracesService, 'service.version': VERSION }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ctx.config.tracesRatio) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new exporter.OTLPTraceExporter({ url: `${collector.replace(/\/$/, '')}${TRACES}`, timeoutMillis: TIMEOUT_MS }),
      }),
    ],
  })
  const tracer = provider.getTracer(SERVICE, VERSION)
  const contexts = new hooks.AsyncLocalStorageContextManager().enable()
  const propagator = new core.W3CTraceContextPropagator()
  const spans = new WeakMap<FastifyRequest, Span>()

  app.addHook('onRequest', (request, _reply, done) => {
    const caller = propagator.extract(api.ROOT_CONTEXT, request.headers, api.defaultTextMapGetter)
    const route = request.routeOptions.url ?? 'none'
    const span = tracer.startSpan(
      `${request.method} ${route}`,
      { kind: api.SpanKind.SERVER, attributes: { 'http.request.method': request.method, 'http.route': route } },
      caller,
    )
    spans.set(request, span)
    contexts.with(api.trace.setSpan(caller, span), done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)
    span?.setAttribute('http.response.status_code', reply.statusCode)
    if (reply.statusCode >= 500) span?.setStatus({ code: api.SpanStatusCode.ERROR })
    span?.end()
    done()
  })
  ctx.watchers.add(({ kind, name, ms, failed }) => {
    const active = contexts.active()
    // Operations outside a request aren't traced, because background work polls the store constantly
    if (api.trace.getSpan(active) === undefined) return
    const attributes = { 'db.operation.name': name, 'postil.operation.kind': kind, 'postil.operation.refused': failed }
    const end = Date.now()
    tracer.startSpan(name, { kind: api.SpanKind.CLIENT, startTime: end - ms, attributes }, active).end(end)
  })
  return async () => {
    // An unreachable collector must not block the shutdown
    await provider.shutdown().catch((error: Error) => ctx.log.warn({ reason: error.message }, 'traces could not be sent'))
  }
}
