import { optional, setting } from './define-setting.ts'
import { bool, fraction, integer, text, webAddress } from './parsers.ts'

/** Settings of what the server tells those who watch over it. */
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
    doc: 'Bearer token that `/metrics` asks for, at least 8 characters. Without one whoever reaches the server can read it.',
  }),
  slowMs: setting({
    names: ['POSTIL_SLOW_MS'],
    parse: integer(0, 3_600_000),
    fallback: 1000,
    shown: '`1000`',
    doc: 'Reads and writes of the store that take longer, in milliseconds, are logged by name; `0` logs none.',
  }),
  traces: optional({
    names: ['OTEL_EXPORTER_OTLP_ENDPOINT'],
    parse: webAddress,
    doc: 'Address of an OpenTelemetry collector that is told of requests and what they ask of the store, by OTLP over HTTP (`/v1/traces`).',
  }),
  tracesService: setting({
    names: ['OTEL_SERVICE_NAME'],
    parse: text({ min: 1, max: 255 }),
    fallback: 'postil',
    shown: '`postil`',
    doc: 'What the server is called in traces.',
  }),
  tracesRatio: setting({
    names: ['OTEL_TRACES_SAMPLER_ARG'],
    parse: fraction,
    fallback: 1,
    shown: '`1`',
    doc: 'Which part of the requests that no caller traces is traced, from 0 to 1.',
  }),
}
