import { isFew, type NearestQuery, seqsOfBits, type VectorIndex } from '../vector-index.ts'
import { toUnit } from '../vector-values.ts'
import type { Statements } from './driver.ts'

/** What sqlite-vec compares, as bytes. */
export const encodeVector = (values: ArrayLike<number>): Uint8Array => new Uint8Array(new Float32Array(toUnit(values)).buffer)

/** One byte per record, 1 where its bit is set: what SQL can look into. */
const bytesOf = (bits: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(bits.length * 8)
  for (const seq of seqsOfBits(bits)) bytes[seq] = 1
  return bytes
}

const restriction = (query: NearestQuery): { text: string; parameters: unknown[] } => {
  const { among } = query
  if (among === null) return { text: '', parameters: [] }
  if (isFew(query)) {
    return { text: 'and seq in (select value from json_each(?))', parameters: [JSON.stringify(seqsOfBits(among.bits))] }
  }
  return { text: `and substr(?, seq + 1, 1) = x'01'`, parameters: [bytesOf(among.bits)] }
}

/** Similarity by sqlite-vec's distance over the stored bytes: always an exact scan. */
export const vectorIndexOn = (statements: Statements): VectorIndex => ({
  encode: encodeVector,
  nearest: async (_sql, query) => {
    const { text, parameters } = restriction(query)
    const { rows } = statements.run(
      `select seq from vectors where dataset_no = ? and setting_no = ? ${text} order by vec_distance_cosine(embedding, ?), seq limit ?`,
      [query.datasetNo, query.settingNo, ...parameters, encodeVector(query.value), query.limit],
    )
    return (rows as { seq: number }[]).map(({ seq }) => seq)
  },
  buildIndex: async () => undefined,
  dropIndex: async () => undefined,
})
