import { isFew, type NearestQuery, seqsOfBits, type VectorIndex } from '../vectors/vector-index.ts'
import { toUnit } from '../vectors/vector-values.ts'
import type { Statements } from './driver.ts'
import { buildBlocks, scanBlocks } from './vector-blocks.ts'

/** Encodes a vector in sqlite-vec's format. */
export const encodeVector = (values: ArrayLike<number>): Uint8Array => new Uint8Array(new Float32Array(toUnit(values)).buffer)

/** Converts bits to one byte per record, 1 if the bit is set, so that SQL can read them. */
const bytesOf = (bits: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(bits.length * 8)
  for (const seq of seqsOfBits(bits)) bytes[seq] = 1
  return bytes
}

/**
 * Whether any bit from `from` to `to` (exclusive) is set. Checks only whole bytes, which is enough because blocks start and end
 * at byte boundaries.
 */
const hasAny = (bits: Uint8Array, from: number, to: number): boolean =>
  bits.subarray(from >> 3, Math.min(bits.length, to / 8)).some((byte) => byte !== 0)

type Restriction = { readonly text: string; readonly parameters: readonly unknown[] }

const all: Restriction = { text: '', parameters: [] }

const oneOf = (seqs: readonly number[]): Restriction => ({
  text: 'and seq in (select value from json_each(?))',
  parameters: [JSON.stringify(seqs)],
})

const setIn = (bits: Uint8Array): Restriction => ({ text: `and substr(?, seq + 1, 1) = x'01'`, parameters: [bytesOf(bits)] })

/** Compares all vectors within the restriction by the distance that sqlite-vec computes from the stored bytes. */
const byVectors = (statements: Statements, query: NearestQuery, { text, parameters }: Restriction): number[] => {
  const { rows } = statements.run(
    `select seq from vectors where dataset_no = ? and setting_no = ? ${text} order by vec_distance_cosine(embedding, ?), seq limit ?`,
    [query.datasetNo, query.settingNo, ...parameters, encodeVector(query.value), query.limit],
  )
  return (rows as { seq: number }[]).map(({ seq }) => seq)
}

/**
 * Returns the nearest records. For records in blocks, a quick estimate selects a few candidates, and only their vectors are
 * compared. For records that aren't in a block, all vectors are compared.
 */
const nearest = (statements: Statements, query: NearestQuery): number[] => {
  const { among } = query
  if (among !== null && isFew(query)) return byVectors(statements, query, oneOf(seqsOfBits(among.bits)))
  const scanned = scanBlocks(statements, { ...query, unit: toUnit(query.value), bits: among?.bits ?? null })
  if (scanned === null) return byVectors(statements, query, among === null ? all : setIn(among.bits))
  const gaps = scanned.gaps.filter(([from, to]) => among === null || hasAny(among.bits, from, to))
  // This set has one byte for each record in the dataset, so it is created only if it is needed.
  const set = among === null || gaps.length === 0 ? all : setIn(among.bits)
  const others = gaps.flatMap(([from, to]) =>
    byVectors(statements, query, { text: `and seq >= ? and seq < ? ${set.text}`, parameters: [from, to, ...set.parameters] }),
  )
  return byVectors(statements, query, oneOf([...scanned.seqs, ...others]))
}

/**
 * Similarity search with sqlite-vec. Always exact. Once vector blocks (see `vector-blocks.ts`) are built, the search uses them.
 */
export const vectorIndexOn = (statements: Statements): VectorIndex => ({
  encode: encodeVector,
  nearest: async (_sql, query) => (query.limit > 0 ? nearest(statements, query) : []),
  buildIndex: async () => undefined,
  buildPart: async (_sql, part) => buildBlocks(statements, part),
  dropParts: async (_sql, datasetNo) => {
    statements.run('delete from vector_blocks where dataset_no = ?', [datasetNo])
  },
  dropIndex: async () => undefined,
})
