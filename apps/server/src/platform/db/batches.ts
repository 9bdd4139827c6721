/**
 * Maximum size of the rows that one read returns, in bytes. A row that exceeds this size is returned alone. The limit keeps one
 * read from delaying others for long. It also limits memory use, because several copies of a batch exist on its way from the
 * database to the client.
 */
export const BATCH_BYTES = 8_000_000

/**
 * Splits positions into batches of at most `BATCH_BYTES` bytes, in order. A position with more bytes is a batch of its own.
 * @param bytes number of bytes at each position; 0 if missing
 */
export const batchesOf = (seqs: readonly number[], bytes: ReadonlyMap<number, number>): readonly (readonly number[])[] => {
  const batches: number[][] = []
  let batch: number[] = []
  let sum = 0
  for (const seq of seqs) {
    const size = bytes.get(seq) ?? 0
    if (batch.length > 0 && sum + size > BATCH_BYTES) {
      batches.push(batch)
      batch = []
      sum = 0
    }
    batch.push(seq)
    sum += size
  }
  if (batch.length > 0) batches.push(batch)
  return batches
}
