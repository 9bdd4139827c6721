import { describe, expect, it } from 'vitest'
import { randomFrom } from '#platform/random.ts'
import { type Cases, correctedShare } from './figures.ts'

type Model = { readonly share: number; readonly sensitivity: number; readonly specificity: number }

/** Simulates a model's judgments of records. The share of cases and the model's error rates are known. */
const judge = (count: number, { share, sensitivity, specificity }: Model, random: () => number): Cases => {
  const counts = { tp: 0, fn: 0, fp: 0, tn: 0 }
  for (let i = 0; i < count; i += 1) {
    const isCase = random() < share
    const seen = random() < (isCase ? sensitivity : 1 - specificity)
    counts[isCase ? (seen ? 'tp' : 'fn') : seen ? 'fp' : 'tn'] += 1
  }
  return counts
}

describe('the corrected share', () => {
  it('is that of a worked example', () => {
    // Sensitivity 80/100 and specificity 90/100: (0.45 + 0.9 − 1) / (0.8 + 0.9 − 1) = 0.5
    const found = correctedShare({ tp: 80, fn: 20, fp: 10, tn: 90 }, { cases: 450, others: 550 })
    expect(found).toMatchObject({ seen: 0.45, n: 1000 })
    expect(found?.value).toBeCloseTo(0.5, 12)
    const [low = 1, high = 0] = found?.interval ?? []
    expect(low).toBeLessThan(0.5)
    expect(high).toBeGreaterThan(0.5)
  })

  it('is between 0 and 1, and missing if the model is no better than chance or a kind of record is missing', () => {
    expect(correctedShare({ tp: 90, fn: 10, fp: 20, tn: 80 }, { cases: 100, others: 900 })?.value).toBe(0)
    expect(correctedShare({ tp: 80, fn: 20, fp: 10, tn: 90 }, { cases: 95, others: 5 })?.value).toBe(1)
    expect(correctedShare({ tp: 50, fn: 50, fp: 50, tn: 50 }, { cases: 10, others: 10 })).toBeNull()
    expect(correctedShare({ tp: 0, fn: 0, fp: 10, tn: 90 }, { cases: 10, others: 10 })).toBeNull()
    expect(correctedShare({ tp: 80, fn: 20, fp: 10, tn: 90 }, { cases: 0, others: 0 })).toBeNull()
  })

  it.each([
    { share: 0.3, sensitivity: 0.8, specificity: 0.9 },
    { share: 0.05, sensitivity: 0.9, specificity: 0.95 },
    { share: 0.7, sensitivity: 0.65, specificity: 0.75 },
  ])('has a bias of less than 0.01 with 10,000 records, and its interval contains the true share: $share', (model) => {
    const random = randomFrom(1)
    const runs = 20
    let sum = 0
    let covered = 0
    for (let run = 0; run < runs; run += 1) {
      const known = judge(2000, model, random)
      const { tp, fp, fn, tn } = judge(10_000, model, random)
      const found = correctedShare(known, { cases: tp + fp, others: fn + tn })
      if (!found?.interval) throw new Error('nothing was estimated')
      sum += found.value
      const [low, high] = found.interval
      if (low <= model.share && model.share <= high) covered += 1
    }
    expect(Math.abs(sum / runs - model.share)).toBeLessThan(0.01)
    expect(covered).toBeGreaterThanOrEqual(17)
  })
})
