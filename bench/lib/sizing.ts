import type { Run } from './kept.ts'
import { gridOf } from './stats.ts'

/** Names of the lines that the table is made of. */
export const DISK = 'on the disk, per million records'
export const BULK = 'bulk upsert, batches of 500'
export const BUSY = '16 annotators: memory'
/** The start of the name: a run says how long they worked. */
export const LOOPS = '16 annotators for '
const IDLE = 'memory after the first start'

const SECONDS_PER_HOUR = 3600

/** What a million records cost, by the largest run of each engine, as a table in Markdown; empty without any. */
export const sizingOf = (runs: readonly Run[]): string => {
  const rows: string[][] = []
  for (const [engine, own] of Map.groupBy(runs, (run) => run.engine)) {
    const largest = own.reduce((best, run) => (run.records > best.records ? run : best))
    const value = (wanted: string) =>
      largest.lines.find(({ what }) => what === wanted || (wanted === LOOPS && what.startsWith(LOOPS)))?.value
    const told = (what: string, unit: string, digits = 0, of = (n: number) => n) => {
      const found = value(what)
      return found === undefined ? '' : `${of(found).toFixed(digits)} ${unit}`
    }
    rows.push([
      engine,
      String(largest.records),
      told(DISK, 'GiB', 2),
      told(BULK, 'h', 2, (rate) => 1e6 / rate / SECONDS_PER_HOUR),
      told(IDLE, 'MiB'),
      told(BUSY, 'MiB'),
      told(LOOPS, 'pages and answers/s'),
    ])
  }
  if (rows.length === 0) return ''
  const heads = ['engine', 'measured at', 'disk', 'loading', 'memory, idle', 'memory, at work', 'one process']
  return gridOf(heads, rows)
}
