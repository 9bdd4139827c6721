import { detail } from '@postil/testkit/detail.ts'
import { emptyStore, testEngine } from '@postil/testkit/store.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../store.ts'
import {
  buildVectorPart,
  buildVectors,
  changeVector,
  dropVectorParts,
  dropVectors,
  findNearest,
  readVectors,
  removeVector,
  spoilIndex,
  storeVectors,
} from './vector-index.test.operations.ts'
import { seqsOfBits } from './vector-index.ts'
import { cosine, packVector, toUnit, unpackVector } from './vector-values.ts'

let store: Store
let drop: () => Promise<void>
let nextDataset = 100

beforeAll(async () => {
  const opened = await emptyStore({ operations: new URL('./vector-index.test.operations.ts', import.meta.url).href })
  store = opened.store
  drop = opened.drop
})
afterAll(() => drop())

const bitsOf = (seqs: readonly number[], size: number): Uint8Array => {
  const bits = new Uint8Array(Math.ceil(size / 8))
  for (const seq of seqs) bits[seq >> 3]! |= 1 << (seq & 7)
  return bits
}

/** The reference result: the nearest records first. Records with the same similarity are ordered by `seq`. */
const nearestOf = (
  vectors: readonly (readonly number[])[],
  value: readonly number[],
  among: readonly number[],
  limit: number,
) => {
  const unit = toUnit(value)
  return among
    .map((seq) => ({ seq, similarity: cosine(toUnit(vectors[seq]!), unit) }))
    .sort((a, b) => b.similarity - a.similarity || a.seq - b.seq)
    .slice(0, limit)
    .map(({ seq }) => seq)
}

/** Reproducible numbers from −1 to 1. */
const generator = (seed: number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 31 - 1
  }
}

type Setting = { readonly datasetNo: number; readonly settingNo: number }

/** Builds everything that the engine stores in addition to the vectors. */
const buildParts = async (setting: Setting): Promise<void> => {
  for (let from: number | null = 0; from !== null; ) from = await store.write(buildVectorPart, { ...setting, from })
}

// Small integers, for which similarities are either equal or clearly different at any precision.
const whole = fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 3, maxLength: 3 }).filter((v) => v.some((x) => x !== 0))

describe('vector values', () => {
  it('are returned as they were sent', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true })), fc.nat(9), (values, shift) => {
        const packed = packVector(values)
        const moved = new Uint8Array(packed.length + shift).subarray(shift)
        moved.set(packed)
        expect(unpackVector(moved)).toEqual(values)
      }),
    )
  })
  it('have length 1 after scaling, whatever their original size', () => {
    for (const size of [1e-300, 1, 1e300]) {
      const unit = toUnit([3 * size, -4 * size])
      expect(unit[0]).toBeCloseTo(0.6, 12)
      expect(unit[1]).toBeCloseTo(-0.8, 12)
    }
    expect([...toUnit([0, 0])]).toEqual([0, 0])
  })
})

describe('similarity', () => {
  it('finds the nearest vectors by definition, among all records or some', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(whole, { minLength: 1, maxLength: 30 }),
        whole,
        fc.nat(12),
        fc.option(fc.uniqueArray(fc.nat(29))),
        async (vectors, value, limit, some) => {
          const setting = { datasetNo: nextDataset++, settingNo: 2 }
          await store.write(storeVectors, { ...setting, vectors, from: 0 })
          const all = vectors.map((_, seq) => seq)
          const among = some?.filter((seq) => seq < vectors.length) ?? null
          const bits = among && { bits: bitsOf(among, vectors.length), count: among.length }
          const found = await store.read(findNearest, { ...setting, value, limit, among: bits, stored: vectors.length })
          await buildParts(setting)
          expect(await store.read(findNearest, { ...setting, value, limit, among: bits, stored: vectors.length })).toEqual(found)
          // The engines' results for equally near vectors may differ in the last bit, so the order of these vectors is
          // arbitrary.
          const likeness = (seqs: readonly number[]) =>
            seqs.map((seq) => cosine(toUnit(vectors[seq] ?? []), toUnit(value)).toFixed(5))
          expect(likeness(found)).toEqual(likeness(nearestOf(vectors, value, among ?? all, limit)))
          expect(new Set(found).size).toBe(found.length)
          expect(found.filter((seq) => !(among ?? all).includes(seq))).toEqual([])
          expect(await store.read(readVectors, setting)).toEqual(vectors)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('also compares the directions of huge and tiny numbers', async () => {
    const setting = { datasetNo: nextDataset++, settingNo: 1 }
    const vectors = [
      [1e300, 0],
      [0, 1e-300],
      [1e-300, 1e-300],
      [-1e300, 1],
    ]
    await store.write(storeVectors, { ...setting, vectors, from: 0 })
    expect(await store.read(findNearest, { ...setting, value: [5e-320, 0], limit: 4, among: null, stored: 4 })).toEqual([
      0, 2, 1, 3,
    ])
  })

  it('finds the nearest among few or many candidate records', async () => {
    const setting = { datasetNo: nextDataset++, settingNo: 1 }
    const random = generator(7)
    const vectors = Array.from({ length: 3000 }, () => Array.from({ length: 8 }, random))
    await store.write(storeVectors, { ...setting, vectors, from: 0 })
    const value = Array.from({ length: 8 }, random)
    for (const step of [1, 2, 3, 7, 100]) {
      const among = vectors.map((_, seq) => seq).filter((seq) => seq % step === 0)
      const found = await store.read(findNearest, {
        ...setting,
        value,
        limit: 20,
        among: { bits: bitsOf(among, 3000), count: among.length },
        stored: 3000,
      })
      expect(found).toEqual(nearestOf(vectors, value, among, 20))
    }
    expect(seqsOfBits(bitsOf([0, 7, 8, 31, 64], 100))).toEqual([0, 7, 8, 31, 64])
  })

  detail('stays exact with the stored parts, including for vectors that changed since', async () => {
    const setting = { datasetNo: nextDataset++, settingNo: 1 }
    const random = generator(11)
    const drawn = (count: number) => Array.from({ length: count }, () => Array.from({ length: 12 }, random))
    const vectors = drawn(4000)
    const gone = new Set<number>()
    await store.write(storeVectors, { ...setting, vectors, from: 0 })
    await buildParts(setting)
    const check = async () => {
      const all = vectors.map((_, seq) => seq).filter((seq) => !gone.has(seq))
      const most = all.filter((seq) => seq % 3 !== 0)
      const values = [...drawn(6), ...[...gone].map((seq) => vectors[seq]!)]
      for (const [value, limit] of values.flatMap((one) => [[one, 1] as const, [one, 10] as const, [one, 300] as const])) {
        const asked = { ...setting, value, limit, stored: all.length }
        // Engines compare in single precision.
        const likeness = (seqs: readonly number[]) =>
          seqs.map((seq) => cosine(toUnit(vectors[seq] ?? []), toUnit(value)).toFixed(5))
        const found = await store.read(findNearest, { ...asked, among: null })
        expect(likeness(found)).toEqual(likeness(nearestOf(vectors, value, all, limit)))
        const among = { bits: bitsOf(most, vectors.length), count: most.length }
        const filtered = await store.read(findNearest, { ...asked, among })
        expect(likeness(filtered)).toEqual(likeness(nearestOf(vectors, value, most, limit)))
        expect([...found.filter((seq) => gone.has(seq)), ...filtered.filter((seq) => !most.includes(seq))]).toEqual([])
        expect([new Set(found).size, new Set(filtered).size]).toEqual([limit, limit])
      }
    }
    await check()
    const added = drawn(700)
    await store.write(storeVectors, { ...setting, vectors: added, from: vectors.length })
    vectors.push(...added)
    for (const seq of [5, 1300, 3700]) {
      vectors[seq] = drawn(1)[0]!
      await store.write(changeVector, { ...setting, seq, values: vectors[seq]! })
    }
    for (const seq of [6, 2700]) {
      gone.add(seq)
      await store.write(removeVector, { ...setting, seq })
    }
    await check()
    for (const seq of [5, 1300, 3700, 4050]) {
      const asked = { ...setting, value: vectors[seq]!, limit: 1, among: null, stored: vectors.length }
      expect(await store.read(findNearest, asked)).toEqual([seq])
    }
    await buildParts(setting)
    await check()
    await store.write(dropVectorParts, setting)
    await check()
  })

  it('finds at least 99 of 100 with an index, and the requested number among few candidates', async () => {
    const setting = { datasetNo: nextDataset++, settingNo: 1 }
    const random = generator(3)
    const clusters = Array.from({ length: 40 }, () => Array.from({ length: 16 }, random))
    const near = (i: number) => clusters[i % 40]!.map((x) => x + random() * 0.3)
    const vectors = Array.from({ length: 51_000 }, (_, i) => near(i))
    for (let from = 0; from < vectors.length; from += 3000) {
      await store.write(storeVectors, { ...setting, vectors: vectors.slice(from, from + 3000), from })
    }
    const queries = Array.from({ length: 20 }, (_, i) => near(i))
    const search = (value: readonly number[], among: readonly number[] | null) =>
      store.read(findNearest, {
        ...setting,
        value,
        limit: 100,
        stored: vectors.length,
        among: among && { bits: bitsOf(among, 51_000), count: among.length },
      })
    const exact = await Promise.all(queries.map((value) => search(value, null)))
    await store.read(buildVectors, { ...setting, dimensions: 16 })
    await store.read(buildVectors, { ...setting, dimensions: 16 })
    await buildParts(setting)
    const most = vectors.map((_, seq) => seq).filter((seq) => seq % 60 !== 0)
    const recall = (found: readonly (readonly number[])[]) =>
      found.flatMap((seqs, i) => seqs.filter((seq) => exact[i]!.includes(seq))).length / (queries.length * 100)
    const all: number[][] = []
    for (const value of queries) {
      const found = await search(value, null)
      all.push(found)
      expect(found).toHaveLength(100)
      const filtered = await search(value, most)
      expect(filtered.length).toBe(100)
      expect(filtered.every((seq) => seq % 60 !== 0)).toBe(true)
    }
    expect(recall(all)).toBeGreaterThanOrEqual(0.99)
    if (testEngine() === 'postgres') {
      // A graph whose clusters are barely connected. The search must detect that vectors of other clusters are missing.
      await store.write(spoilIndex, { ...setting, dimensions: 16 })
      expect(recall(await Promise.all(queries.map((value) => search(value, null))))).toBeGreaterThan(0.6)
    }
    await store.read(dropVectors, setting)
  }, 120_000)
})
