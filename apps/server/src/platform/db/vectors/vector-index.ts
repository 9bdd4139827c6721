import type { Sql } from '../sql.ts'

export type NearestQuery = {
  readonly datasetNo: number
  readonly settingNo: number
  /** Of the setting's dimensions, not all zeros. */
  readonly value: ArrayLike<number>
  /** How many to find. */
  readonly limit: number
  /**
   * The records that may be found, as bits by `seq` (bit `seq % 8` of byte `seq >> 3`, lowest first) and their number;
   * null for all that have a vector.
   */
  readonly among: { readonly bits: Uint8Array; readonly count: number } | null
  /** How many records have a vector of this setting. */
  readonly stored: number
}

/** Similarity of one engine. */
export type VectorIndex = {
  /** What goes into the column `embedding` for a vector as it was sent (`raw` takes `packVector`). */
  readonly encode: (values: ArrayLike<number>) => Uint8Array | string
  /** The `seq`s of the nearest records by cosine, nearest first, equal ones in order of insertion. */
  readonly nearest: (sql: Sql, query: NearestQuery) => Promise<number[]>
  /**
   * Makes the index that a large setting is searched by; nothing where the engine needs none, or when it is there. Takes
   * long and must not run in a transaction: call it from a query that is `single`.
   */
  readonly buildIndex: (sql: Sql, setting: { datasetNo: number; settingNo: number; dimensions: number }) => Promise<void>
  /**
   * Makes the next part of what a large setting is searched by, where the engine keeps such a thing in the store: a few milliseconds of
   * work in the caller's transaction. What changes afterwards is missing again.
   * @param from the place that the part before ended at, 0 for the first
   * @returns where to go on; null when nothing is missing
   */
  readonly buildPart: (sql: Sql, setting: { datasetNo: number; settingNo: number; from: number }) => Promise<number | null>
  /** Removes what `buildPart` made for a dataset, in the caller's transaction. */
  readonly dropParts: (sql: Sql, datasetNo: number) => Promise<void>
  /**
   * Removes the index of a setting, or of all settings of a dataset with null; where it is just being made, `buildIndex` rejects. Must not run in
   * a transaction either, and waits while the index of another setting is made.
   */
  readonly dropIndex: (sql: Sql, setting: { datasetNo: number; settingNo: number | null }) => Promise<void>
}

/** From this number of candidates on an engine may use an index, which PostgreSQL's finds nearly all by. */
export const APPROXIMATE_FROM = 50_000

/** The numbers whose bits are set. */
export const seqsOfBits = (bits: Uint8Array): number[] => {
  const seqs: number[] = []
  for (let byte = 0; byte < bits.length; byte++) {
    let rest = bits[byte]!
    while (rest !== 0) {
      seqs.push(byte * 8 + 31 - Math.clz32(rest & -rest))
      rest &= rest - 1
    }
  }
  return seqs
}

/** Up to this share of the stored vectors candidates are named one by one. */
export const isFew = ({ among, stored }: NearestQuery): boolean => among !== null && among.count <= Math.max(500, stored / 20)
