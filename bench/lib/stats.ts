/** One line of the report. Times are in milliseconds. */
export type Line = {
  readonly engine: string
  readonly records: number
  readonly what: string
  readonly value: number
  readonly unit: string
  readonly p50?: number
  readonly p95?: number
  readonly max?: number
  /** The result of the same work with the bare database driver, measured in the same run and in the same unit. */
  readonly bare?: number
  /** `value` divided by `bare`. Above 1, times are slower than with the bare driver, and rates are faster. */
  readonly ratio?: number
  readonly aim?: string
  readonly met?: boolean
}

export const percentile = (values: readonly number[], p: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil((p / 100) * sorted.length) - 1)] ?? Number.NaN
}

export const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length

/** Calls `run` the given number of times, after a few warm-up calls. @returns the values that `run` measured */
export const timed = async (times: number, run: (i: number) => Promise<number>, warm = 3): Promise<number[]> => {
  for (let i = 0; i < warm; i++) await run(-1 - i)
  const all: number[] = []
  for (let i = 0; i < times; i++) all.push(await run(i))
  return all
}

/** Runs some work and returns its duration. */
export const timeOf = async (work: () => unknown): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

export const spread = (values: readonly number[]) => ({
  p50: percentile(values, 50),
  p95: percentile(values, 95),
  max: Math.max(...values),
})

const formatValue = (value: number | undefined): string => {
  if (value === undefined) return ''
  if (Math.abs(value) >= 100) return String(Math.round(value))
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}

const COLUMNS = ['engine', 'records', 'what', 'value', 'unit', 'p50', 'p95', 'max', 'bare', 'ratio', 'aim', 'met'] as const

type Column = (typeof COLUMNS)[number]

const cell = (line: Line, column: Column): string => {
  const value = line[column]
  if (column === 'records') return String(value)
  if (typeof value === 'number') return formatValue(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'NO'
  return value ?? ''
}

/** A Markdown table that is also readable in a terminal. */
export const gridOf = (heads: readonly string[], body: readonly (readonly string[])[]): string => {
  const rows = [heads, ...body]
  const widths = heads.map((_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length)))
  const print = (row: readonly string[]) => `| ${row.map((text, i) => text.padEnd(widths[i] ?? 0)).join(' | ')} |`
  return [print(heads), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...body.map(print)].join('\n')
}

export const tableOf = (lines: readonly Line[], columns: readonly Column[] = COLUMNS): string =>
  gridOf(
    columns,
    lines.map((line) => columns.map((column) => cell(line, column))),
  )
