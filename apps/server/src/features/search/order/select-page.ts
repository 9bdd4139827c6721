import type { SeqSet } from '../seq-set.ts'

export type Page = { readonly offset: number; readonly limit: number }

/** A heap that keeps the `size` smallest of the numbers pushed, with the largest on top. */
class SmallestHeap {
  readonly #heap: Float64Array
  #length = 0
  constructor(size: number) {
    this.#heap = new Float64Array(size)
  }
  push(value: number): void {
    const heap = this.#heap
    if (this.#length < heap.length) {
      let at = this.#length++
      for (; at > 0; ) {
        const parent = (at - 1) >> 1
        if (heap[parent]! >= value) break
        heap[at] = heap[parent]!
        at = parent
      }
      heap[at] = value
    } else if (value < heap[0]!) this.#sink(value)
  }
  #sink(value: number): void {
    const heap = this.#heap
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && heap[child + 1]! > heap[child]!) child += 1
      if (heap[child]! <= value) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = value
  }
  sorted(): Float64Array {
    return this.#heap.subarray(0, this.#length).sort()
  }
}

const forEachOf = (set: SeqSet, visit: (seq: number) => void): void => {
  const { words } = set
  for (let i = 0; i < words.length; i++) {
    for (let word = words[i]!; word !== 0; word &= word - 1) visit(i * 32 + 31 - Math.clz32(word & -word))
  }
}

/** A heap is used only if the page ends within the first 1/`MANY` of the set. Otherwise, `middle` is faster. */
const MANY = 8
const PARTS = 4096

/**
 * Returns the part of a set from position `offset` to `end`, in key order. Counts the keys in equal sections of their range,
 * and sorts only the sections that contain the page.
 */
const middle = (
  set: SeqSet,
  keyOf: (seq: number) => number,
  offset: number,
  end: number,
  keys: number,
  size: number,
): Float64Array => {
  const width = Math.ceil(keys / PARTS)
  const counts = new Uint32Array(PARTS)
  forEachOf(set, (seq) => {
    counts[Math.floor(keyOf(seq) / width)]! += 1
  })
  let first = 0
  let before = 0
  while (before + counts[first]! <= offset) before += counts[first++]!
  let last = first
  let upto = before + counts[first]!
  while (upto < end) upto += counts[++last]!
  const found = new Float64Array(upto - before)
  let at = 0
  forEachOf(set, (seq) => {
    const key = keyOf(seq)
    if (key >= first * width && key < (last + 1) * width) found[at++] = key * size + seq
  })
  return found.sort().subarray(offset - before, end - before)
}

/**
 * Returns a page of a set, sorted by a number per record. Ties are in `seq` order.
 * @param keyOf returns whole numbers below `keys`
 * @param size upper bound (exclusive) of every `seq`
 */
export const pageBy = (
  set: SeqSet,
  keyOf: (seq: number) => number,
  { offset, limit }: Page,
  { keys, size }: { readonly keys: number; readonly size: number },
): number[] => {
  const count = set.count()
  if (offset >= count) return []
  const end = Math.min(count, offset + limit)
  if (keys * size >= Number.MAX_SAFE_INTEGER) {
    const seqs = set.toArray().sort((a, b) => keyOf(a) - keyOf(b) || a - b)
    return seqs.slice(offset, end)
  }
  if (end * MANY >= count) return Array.from(middle(set, keyOf, offset, end, keys, size), (value) => value % size)
  const least = new SmallestHeap(end)
  forEachOf(set, (seq) => least.push(keyOf(seq) * size + seq))
  return Array.from(least.sorted().subarray(offset), (value) => value % size)
}
