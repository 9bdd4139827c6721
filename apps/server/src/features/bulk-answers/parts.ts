/** A record that a job answers, and the version of its author's answer when the job began; 0 without one. */
export type Item = {
  readonly seq: number
  readonly version: number
  /** Of a job that takes back: the version that the answer gets back; 0 where there was none. */
  readonly to?: number
}

/** Records of one step: few enough to keep nobody waiting for the store. */
export const PART = 50

/** Lists of at most `PART` records each, as the store keeps them. */
export const printParts = (items: readonly Item[]): readonly string[] =>
  Array.from({ length: Math.ceil(items.length / PART) }, (_, i) =>
    items
      .slice(i * PART, (i + 1) * PART)
      .map(({ seq, version, to }) => (to === undefined ? `${seq}:${version}` : `${seq}:${version}:${to}`))
      .join(','),
  )

export const parsePart = (records: string): readonly Item[] =>
  records.split(',').map((item) => {
    const [seq, version, to] = item.split(':')
    return { seq: Number(seq), version: Number(version), ...(to !== undefined && { to: Number(to) }) }
  })
