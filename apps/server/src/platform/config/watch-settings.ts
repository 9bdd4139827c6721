import { optional, setting } from './define-setting.ts'
import { bool, integer, text } from './parsers.ts'

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
    doc: 'Bearer token that `/metrics` asks for. Without one whoever reaches the server can read it.',
  }),
  slowMs: setting({
    names: ['POSTIL_SLOW_MS'],
    parse: integer(0, 3_600_000),
    fallback: 1000,
    shown: '`1000`',
    doc: 'Reads and writes of the store that take longer, in milliseconds, are logged by name; `0` logs none.',
  }),
}
