import type { Sql } from '../sql.ts'

export type NearestQuery = {
  readonly datasetNo: number
  readonly settingNo: number
  /** The query vector. Its length is the setting's number of dimensions. At least one of its numbers is not 0. */
  readonly value: ArrayLike<number>
  /** Maximum number of records to find. */
  readonly limit: number
  /**
   * The records to search: one bit per record (bit `seq % 8` of byte `seq >> 3`, lowest first), and the number of these records.
   * Null: all records that have a vector are searched.
   */
  readonly among: { readonly bits: Uint8Array; readonly count: number } | null
  /** Number of records that have a vector for this setting. */
  readonly stored: number
}

/** The vector index of one engine. */
export type VectorIndex = {
  /** Encodes a vector for the column `embedding`. The column `raw` contains the result of `packVector` instead. */
  readonly encode: (values: ArrayLike<number>) => Uint8Array | string
  /** The `seq`s of the nearest records by cosine similarity, nearest first. Equally near records are in insertion order. */
  readonly nearest: (sql: Sql, query: NearestQuery) => Promise<number[]>
  /**
   * Builds the index for searching a large vector setting. Does nothing if the engine needs no index or the index exists. Takes
   * a long time and must not run in a transaction: call it from a `single` query.
   */
  readonly buildIndex: (sql: Sql, setting: { datasetNo: number; settingNo: number; dimensions: number }) => Promise<void>
  /**
   * Builds the next part of the index of a large vector setting. Does nothing if the engine doesn't store indexes in parts. Takes
   * a few milliseconds in the caller's transaction. Later changes drop parts, which must then be built again.
   * @param from the previous call's return value; 0 for the first part
   * @returns where to continue; null if nothing is missing
   */
  readonly buildPart: (sql: Sql, setting: { datasetNo: number; settingNo: number; from: number }) => Promise<number | null>
  /** Deletes the parts that `buildPart` built for a dataset, in the caller's transaction. */
  readonly dropParts: (sql: Sql, datasetNo: number) => Promise<void>
  /**
   * Drops the index of a vector setting or, with null, of all vector settings of a dataset. A running `buildIndex` for the same
   * index rejects. Must not run in a transaction. Waits while another setting's index is built.
   */
  readonly dropIndex: (sql: Sql, setting: { datasetNo: number; settingNo: number | null }) => Promise<void>
}

/** Minimum number of candidates for using an approximate index. PostgreSQL's index finds nearly all of the nearest vectors. */
export const APPROXIMATE_FROM = 50_000

/** Returns the `seq`s whose bits are set. */
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

/**
 * Whether there are few enough candidates to list them individually: at most 500 or a twentieth of the stored vectors,
 * whichever is more.
 */
export const isFew = ({ among, stored }: NearestQuery): boolean => among !== null && among.count <= Math.max(500, stored / 20)
