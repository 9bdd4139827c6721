import type { Line } from './stats.ts'

/** The benchmark results that must not grow with the number of records. */
const CONSTANT_LINES = ['next page of 10 pending with total', 'submit', '16 annotators: memory'] as const
const AIM = 0.1

/**
 * The exponent e of a time that grows as records^e between two sizes: ln(t2/t1) / ln(n2/n1).
 * @param from records and milliseconds of the smaller size
 */
export const exponent = (from: readonly [number, number], to: readonly [number, number]): number =>
  Math.log(to[1] / from[1]) / Math.log(to[0] / from[0])

/**
 * The figure whose growth is computed. For a rate, it is the time per item. For a time, it is the 95th percentile if there is
 * one. Otherwise, it is the value itself.
 */
const growthValue = ({ unit, p95, value }: Line): number => {
  if (unit.endsWith('/s')) return 1 / value
  return unit === 'ms' ? (p95 ?? value) : value
}

/** Removes the duration from a name, because the same work may have been measured for different durations. */
const nameOf = ({ what }: Line): string => what.replace(/ for \d+ s$/, '')

/** A Markdown table with the growth of every line that was measured at two or more sizes. Empty if there is none. */
export const growthOf = (lines: readonly Line[]): string => {
  const rows: string[] = []
  for (const engine of new Set(lines.map((line) => line.engine))) {
    const own = lines.filter((line) => line.engine === engine)
    for (const what of new Set(own.map(nameOf))) {
      const sized = own.filter((line) => nameOf(line) === what).sort((a, b) => a.records - b.records)
      const [first, last] = [sized[0], sized.at(-1)]
      if (first === undefined || last === undefined || first.records === last.records) continue
      const grows = exponent([first.records, growthValue(first)], [last.records, growthValue(last)])
      const flat = CONSTANT_LINES.some((one) => one === what)
      rows.push(
        `| ${engine} | ${what} | ${first.records} to ${last.records} | ${grows.toFixed(2)} | ${flat ? `< ${AIM}` : ''} | ${flat ? (grows < AIM ? 'yes' : 'NO') : ''} |`,
      )
    }
  }
  if (rows.length === 0) return ''
  return ['| engine | what | records | exponent | aim | met |', '|---|---|---|---|---|---|', ...rows].join('\n')
}
