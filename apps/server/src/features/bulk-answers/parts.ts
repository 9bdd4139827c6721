/** A record that a job answers, and the version of its author's answer when the job began; 0 without one. */
export type Item = { readonly seq: number; readonly version: number }

/** Records of one step: few enough to keep nobody waiting for the store. */
export const PART = 50

/** Lists of at most `PART` records each, as the store keeps them. */
export const printParts = (items: readonly Item[]): readonly string[] =>
  Array.from({ length: Math.ceil(items.length / PART) }, (_, i) =>
    items
      .slice(i * PART, (i + 1) * PART)
      .map(({ seq, version }) => `${seq}:${version}`)
      .join(','),
  )

export const parsePart = (records: string): readonly Item[] =>
  records.split(',').map((item) => {
    const [seq, version] = item.split(':')
    return { seq: Number(seq), version: Number(version) }
  })
