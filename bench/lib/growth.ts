import type { Line } from './stats.ts'

/** What has to stay as it is, however many records there are. */
const FLAT = ['next page of 10 pending with total', 'submit', '16 annotators: memory'] as const
const AIM = 0.1

/**
 * The exponent e of a time that grows as records^e between two sizes: ln(t2/t1) / ln(n2/n1).
 * @param from records and milliseconds of the smaller one
 */
export const exponent = (from: readonly [number, number], to: readonly [number, number]): number =>
  Math.log(to[1] / from[1]) / Math.log(to[0] / from[0])

/** The 95th percentile of times where there is one, the time that each takes of what is counted by the second, and room as it is. */
const grown = ({ unit, p95, value }: Line): number => {
  if (unit.endsWith('/s')) return 1 / value
  return unit === 'ms' ? (p95 ?? value) : value
}

/** The same work has one name, however long it was watched. */
const nameOf = ({ what }: Line): string => what.replace(/ for \d+ s$/, '')

/** The growth of every line that was measured at two sizes at least, as a table in Markdown; empty without any. */
export const growthOf = (lines: readonly Line[]): string => {
  const rows: string[] = []
  for (const engine of new Set(lines.map((line) => line.engine))) {
    const own = lines.filter((line) => line.engine === engine)
    for (const what of new Set(own.map(nameOf))) {
      const sized = own.filter((line) => nameOf(line) === what).sort((a, b) => a.records - b.records)
      const [first, last] = [sized[0], sized.at(-1)]
      if (first === undefined || last === undefined || first.records === last.records) continue
      const grows = exponent([first.records, grown(first)], [last.records, grown(last)])
      const flat = FLAT.some((one) => one === what)
      rows.push(
        `| ${engine} | ${what} | ${first.records} to ${last.records} | ${grows.toFixed(2)} | ${flat ? `< ${AIM}` : ''} | ${flat ? (grows < AIM ? 'yes' : 'NO') : ''} |`,
      )
    }
  }
  if (rows.length === 0) return ''
  return ['| engine | what | records | exponent | aim | met |', '|---|---|---|---|---|---|', ...rows].join('\n')
}
