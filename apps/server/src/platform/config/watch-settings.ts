import { optional, setting } from './define-setting.ts'
import { bool, fraction, integer, text, webAddress } from './parsers.ts'

export const watchSettings = {
  metrics: setting({
    names: ['POSTIL_METRICS'],
    parse: bool,
    fallback: false,
    shown: '`false`',
    doc: 'Serve `/metrics` for Prometheus.',
  }),
  metricsToken: optional({
    names: ['POSTIL_METRICS_TOKEN'],
    parse: text({ min: 8 }),
    secret: true,
    doc: 'Bearer token that `/metrics` requires, at least 8 characters. If no token is set, anyone who can reach the server can read the metrics.',
  }),
  slowMs: setting({
    names: ['POSTIL_SLOW_MS'],
    parse: integer(0, 3_600_000),
    fallback: 1000,
    shown: '`1000`',
    doc: 'Log database reads and writes that take longer than this many milliseconds. `0` turns this off.',
  }),
  traces: optional({
    names: ['OTEL_EXPORTER_OTLP_ENDPOINT'],
    parse: webAddress,
    doc: 'URL of an OpenTelemetry collector. The server sends it traces of requests and database operations, using OTLP over HTTP (`/v1/traces`).',
  }),
  tracesService: setting({
    names: ['OTEL_SERVICE_NAME'],
    parse: text({ min: 1, max: 255 }),
    fallback: 'postil',
    shown: '`postil`',
    doc: 'Service name in traces.',
  }),
  tracesRatio: setting({
    names: ['OTEL_TRACES_SAMPLER_ARG'],
    parse: fraction,
    fallback: 1,
    shown: '`1`',
    doc: "Fraction of requests to trace, from 0 to 1. If a request belongs to its caller's trace, the caller decides whether it is traced.",
  }),
}
