import { randomBytes, randomInt } from 'node:crypto'
import { nowMs } from './time.ts'

/**
 * IDs are version 7 UUIDs (RFC 9562), created by the app: 48 bits of Unix milliseconds, a 12-bit counter within the
 * millisecond, 6 random bits, a 32-bit dataset number and 24 random bits. Routes such as `/records/{id}` contain no dataset ID,
 * so the number in the ID identifies the dataset without an index over all datasets. IDs of entities outside datasets contain
 * the number 0.
 */
let lastMs = 0
let counter = 0

const nextTick = (): { ms: number; count: number } => {
  const ms = nowMs()
  if (ms > lastMs) {
    lastMs = ms
    counter = randomInt(0, 256)
  } else {
    counter += 1
    // This millisecond's 12-bit counter is used up. Continue in the next millisecond rather than repeat an ID.
    if (counter > 0xfff) {
      lastMs += 1
      counter = 0
    }
  }
  return { ms: lastMs, count: counter }
}

let pool = randomBytes(4096)
let poolAt = 0
const randomPool = (): { bytes: Buffer; at: number } => {
  if (poolAt + 4 > pool.length) {
    pool = randomBytes(4096)
    poolAt = 0
  }
  const at = poolAt
  poolAt += 4
  return { bytes: pool, at }
}

const buffer = Buffer.alloc(16)
const print = (): string => {
  const hex = buffer.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** A new ID that contains `datasetNo` (0 to 2³²−1), for records, answers, suggestions and rows that depend on them. */
export const newDatasetId = (datasetNo: number): string => {
  const { ms, count } = nextTick()
  const { bytes, at } = randomPool()
  buffer.writeUIntBE(ms, 0, 6)
  buffer.writeUInt16BE(0x7000 | count, 6)
  buffer.writeUInt8(0x80 | ((bytes[at] ?? 0) & 0x3f), 8)
  buffer.writeUInt32BE(datasetNo, 9)
  bytes.copy(buffer, 13, at + 1, at + 4)
  return print()
}

/** A new ID for an entity that belongs to no dataset. */
export const newId = (): string => newDatasetId(0)

/** The smallest possible ID for a time in microseconds. IDs that this server creates later are greater. */
export const idAt = (micros: number): string => {
  const hex = Math.max(0, Math.floor(micros / 1000))
    .toString(16)
    .padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** Whether an ID has the format of this server's IDs. IDs migrated from another server may have any format. */
export const isOurForm = (id: string): boolean => id[14] === '7'

/**
 * The dataset number in an ID that this server created. In any other UUID the number is arbitrary, so the row must still be
 * looked up by `(dataset_no, id)`.
 */
export const datasetNoOf = (id: string): number => Number.parseInt(id.slice(21, 23) + id.slice(24, 30), 16)
