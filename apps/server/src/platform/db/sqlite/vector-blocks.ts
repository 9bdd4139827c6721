import type { Statements } from './driver.ts'

/* Vector blocks for scanning: 256 records each, with one byte per number. A scan reads an eighth of the bytes of the vectors and
   selects the few vectors that may be among the nearest. The selected vectors are then compared exactly, so results are never
   approximate. If a vector changes, a trigger drops its block. Records without a block are compared by their vectors. */

/** Number of records in a block. A block's records have the same `seq >> 8`. */
const SIZE = 256
/**
 * Size of a block's header in bytes. The header contains the scale and the remainder of each record, in single precision. The
 * encoded vectors follow it.
 */
const HEADER_BYTES = SIZE * 8
/** Maximum number of gaps between blocks. With more gaps, all vectors are read sequentially instead. */
const MAX_GAPS = 200
/**
 * A safety margin that is added to each stored remainder. It is larger than the single-precision rounding errors of the remainder
 * and of the exact distance. Without it, rounding could exclude one of the nearest vectors.
 */
const SLACK = 1e-5
const PART_MS = 5

type Row = { readonly seq: number; readonly embedding: Uint8Array }

const floats = (bytes: Uint8Array, from: number, count: number): Float32Array => {
  const at = bytes.byteOffset + from
  if (at % 4 === 0) return new Float32Array(bytes.buffer, at, count)
  return new Float32Array(bytes.slice(from, from + count * 4).buffer)
}

/**
 * Encodes a unit vector `v` as bytes `c` with a scale `s`, so that `v ≈ s·c`. By Cauchy–Schwarz, the remainder `|v − s·c|`
 * bounds the difference between `q·(s·c)` and `q·v` for any unit vector `q`.
 */
const encodeBlock = (rows: readonly Row[]): Uint8Array => {
  const dimensions = (rows[0]?.embedding.byteLength ?? 0) / 4
  const bytes = new Uint8Array(HEADER_BYTES + SIZE * dimensions)
  const scales = new Float32Array(bytes.buffer, 0, SIZE)
  const remainders = new Float32Array(bytes.buffer, SIZE * 4, SIZE)
  const codes = new Int8Array(bytes.buffer, HEADER_BYTES)
  for (const { seq, embedding } of rows) {
    const place = seq % SIZE
    const vector = floats(embedding, 0, dimensions)
    let largest = 0
    for (const number of vector) largest = Math.max(largest, Math.abs(number))
    const scale = Math.fround(largest / 127)
    scales[place] = scale
    let remainder = 0
    for (let i = 0; i < dimensions; i++) {
      const code = scale === 0 ? 0 : Math.round(vector[i]! / scale)
      codes[place * dimensions + i] = code
      remainder += (vector[i]! - code * scale) ** 2
    }
    remainders[place] = Math.sqrt(remainder) + SLACK
  }
  return bytes
}

/** Collects the `count` largest numbers. */
const largestOf = (count: number) => {
  /** A binary heap, smallest first. */
  const heap: number[] = []
  const sink = (value: number) => {
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++
      if (heap[child]! >= value) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = value
  }
  const rise = (value: number) => {
    let at = heap.push(value) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (heap[parent]! <= value) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = value
  }
  return {
    /** The smallest collected number; −∞ until `count` numbers are collected. */
    least: Number.NEGATIVE_INFINITY,
    add(value: number) {
      if (heap.length < count) rise(value)
      else if (value > heap[0]!) sink(value)
      if (heap.length === count) this.least = heap[0]!
    },
  }
}

type Scan = {
  readonly datasetNo: number
  readonly settingNo: number
  /** Query vector scaled to length 1. */
  readonly unit: Float64Array
  readonly limit: number
  /** Candidate bits by `seq`; null for all records. */
  readonly bits: Uint8Array | null
}

type Scanned = {
  /** The records that are in blocks and may be among the nearest neighbors. */
  readonly seqs: readonly number[]
  /** Ranges without a block; `to` is exclusive. */
  readonly gaps: readonly (readonly [from: number, to: number])[]
}

/** Collects, from the given blocks, the records that may be among the nearest. */
const candidatesOf = ({ unit, limit, bits }: Scan) => {
  const dimensions = unit.length
  const nearest = largestOf(limit)
  const seqs: number[] = []
  const highest: number[] = []
  const isAmong = (seq: number) => bits === null || ((bits[seq >> 3] ?? 0) & (1 << (seq & 7))) !== 0
  return {
    scanBlock(block: number, bytes: Uint8Array): void {
      const scales = floats(bytes, 0, SIZE)
      const remainders = floats(bytes, SIZE * 4, SIZE)
      const codes = new Int8Array(bytes.buffer, bytes.byteOffset + HEADER_BYTES, SIZE * dimensions)
      for (let place = 0; place < SIZE; place++) {
        const remainder = remainders[place]!
        const seq = block * SIZE + place
        if (remainder === 0 || !isAmong(seq)) continue
        let dot = 0
        const from = place * dimensions
        for (let i = 0; i < dimensions; i++) dot += unit[i]! * codes[from + i]!
        dot *= scales[place]!
        if (dot + remainder < nearest.least) continue
        seqs.push(seq)
        highest.push(dot + remainder)
        nearest.add(dot - remainder)
      }
    },
    left: () => seqs.filter((_, i) => highest[i]! >= nearest.least),
  }
}

/** Scans a vector setting's blocks. @returns null if there are no blocks or too many gaps between them */
export const scanBlocks = (statements: Statements, scan: Scan): Scanned | null => {
  const { statement } = statements.get(
    'select block, codes from vector_blocks where dataset_no = ? and setting_no = ? order by block',
  )
  const candidates = candidatesOf(scan)
  const gaps: (readonly [number, number])[] = []
  let next = 0
  for (const row of statement.iterate(BigInt(scan.datasetNo), BigInt(scan.settingNo))) {
    const { block, codes } = row as { block: number; codes: Uint8Array<ArrayBuffer> }
    if (block > next) gaps.push([next * SIZE, block * SIZE])
    if (gaps.length > MAX_GAPS) return null
    next = block + 1
    candidates.scanBlock(block, codes)
    // Freed immediately, because tens of megabytes of scanned blocks would otherwise stay until the next garbage collection.
    codes.buffer.transfer(0)
  }
  if (next === 0) return null
  gaps.push([next * SIZE, Number.MAX_SAFE_INTEGER])
  return { seqs: candidates.left(), gaps }
}

type Part = { readonly datasetNo: number; readonly settingNo: number; readonly from: number }

/** Builds missing blocks. A call stops after a few milliseconds. @returns the block at which to continue; null at the end */
export const buildBlocks = (statements: Statements, { datasetNo, settingNo, from }: Part): number | null => {
  const began = performance.now()
  const setting = [datasetNo, settingNo]
  const first = (text: string, ...more: number[]) => statements.run(text, [...setting, ...more]).rows[0]
  let at = from
  while (performance.now() - began < PART_MS) {
    const row = first(
      'select seq from vectors where dataset_no = ? and setting_no = ? and seq >= ? order by seq limit 1',
      at * SIZE,
    )
    if (row === undefined) return null
    const block = Math.floor((row as Row).seq / SIZE)
    at = block + 1
    const isMade = first('select 1 from vector_blocks where dataset_no = ? and setting_no = ? and block = ?', block) !== undefined
    if (isMade) continue
    const { rows } = statements.run(
      'select seq, embedding from vectors where dataset_no = ? and setting_no = ? and seq >= ? and seq < ?',
      [...setting, block * SIZE, at * SIZE],
    )
    statements.run('insert into vector_blocks (dataset_no, setting_no, block, codes) values (?, ?, ?, ?)', [
      ...setting,
      block,
      encodeBlock(rows as Row[]),
    ])
  }
  return at
}
