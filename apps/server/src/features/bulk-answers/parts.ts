/** A record to answer, with the version of the author's answer when the job started; 0 if there was no answer. */
export type Item = {
  readonly seq: number
  readonly version: number
  /** For an undo: the version to restore; 0 if there was no answer. */
  readonly to?: number
}

/** Maximum number of records per step. Small, so that other writers aren't delayed. */
export const PART = 50

/** Lists of at most `PART` records each, in stored form. */
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
