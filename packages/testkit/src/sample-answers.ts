import type { RankingItem, Span } from '@postil/contract/answer-value.ts'
import fc from 'fast-check'

/** Options for samples. One of them is too long for an index column. */
export const SAMPLE_LABELS = ['a', 'b', `long ${'é'.repeat(190)}`]

export const optionsOf = (values: readonly string[]) => values.map((value) => ({ value, text: value }))

/** A sample answer to questions of every type. */
export type SampleValues = {
  readonly label: string
  readonly tags?: readonly string[]
  readonly stars?: number
  readonly order?: readonly RankingItem[]
  readonly words?: readonly Span[]
  readonly note?: string
}

/** Questions of every type, which `sampleValues` answers. @param ranked the options of the ranking */
export const sampleQuestions = (ranked: readonly string[]) => [
  { name: 'label', required: true, settings: { type: 'label_selection', options: optionsOf(SAMPLE_LABELS) } },
  { name: 'tags', settings: { type: 'multi_label_selection', options: optionsOf(SAMPLE_LABELS) } },
  { name: 'stars', settings: { type: 'rating', options: [{ value: 1 }, { value: 2 }, { value: 5 }] } },
  { name: 'order', settings: { type: 'ranking', options: optionsOf(ranked) } },
  { name: 'words', settings: { type: 'span', field: 'text', options: optionsOf(['s', 't']), allow_overlapping: true } },
  { name: 'note', settings: { type: 'text' } },
]

const anySpan = fc
  .tuple(fc.constantFrom('s', 't'), fc.nat(8), fc.integer({ min: 1, max: 3 }))
  .map(([label, start, size]) => ({ label, start, end: start + size }))

type Choices = { readonly order: fc.Arbitrary<readonly RankingItem[]>; readonly notes: readonly string[] }

/** Random answers. Every value except the label can be missing. */
export const sampleValues = ({ order, notes }: Choices): fc.Arbitrary<SampleValues> =>
  fc.record(
    {
      label: fc.constantFrom(...SAMPLE_LABELS),
      tags: fc.shuffledSubarray(SAMPLE_LABELS, { minLength: 1 }),
      stars: fc.constantFrom(1, 2, 5),
      order,
      words: fc.array(anySpan, { maxLength: 3 }),
      note: fc.constantFrom(...notes),
    },
    { requiredKeys: ['label'] },
  )
