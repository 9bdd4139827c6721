import type { Run } from './run-store.ts'
import { gridOf } from './stats.ts'

/** Names of the lines that the table uses. */
export const DISK = 'on disk, per million records'
export const BULK = 'bulk upsert, batches of 500'
export const BUSY = '16 annotators: memory'
/** The beginning of a result line's name. The name ends with the duration of the run, for example `16 annotators for 60 s`. */
export const LOOPS = '16 annotators for '
const IDLE = 'memory after the first start'

const SECONDS_PER_HOUR = 3600

/**
 * A Markdown table of what a million records require: disk space, loading time and memory. It also shows the throughput. The
 * values are from each engine's largest run. Empty if there are no runs.
 */
export const sizingOf = (runs: readonly Run[]): string => {
  const rows: string[][] = []
  for (const [engine, own] of Map.groupBy(runs, (run) => run.engine)) {
    const largestRuns = own.reduce((best, run) => (run.records > best.records ? run : best))
    const value = (label: string) =>
      largestRuns.lines.find(({ what }) => what === label || (label === LOOPS && what.startsWith(LOOPS)))?.value
    const sentence = (what: string, unit: string, digits = 0, of = (n: number) => n) => {
      const found = value(what)
      return found === undefined ? '' : `${of(found).toFixed(digits)} ${unit}`
    }
    rows.push([
      engine,
      String(largestRuns.records),
      sentence(DISK, 'GiB', 2),
      sentence(BULK, 'h', 2, (rate) => 1e6 / rate / SECONDS_PER_HOUR),
      sentence(IDLE, 'MiB'),
      sentence(BUSY, 'MiB'),
      sentence(LOOPS, 'pages and answers/s'),
    ])
  }
  if (rows.length === 0) return ''
  const heads = ['engine', 'measured at', 'disk', 'loading', 'memory, idle', 'memory, at work', 'one process']
  return gridOf(heads, rows)
}
