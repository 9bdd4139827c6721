import fc from 'fast-check'
import type { CategoricalAnswers } from '../answers.ts'

export type Row = { readonly item: number; readonly annotator: number; readonly label: number }

/** The numbers of labels and of annotators in `anyRows`. */
export const [LABELS, ANNOTATORS] = [3, 5]

/**
 * Builds answers from rows. If the number of labels or of annotators is omitted, it is the smallest number that fits the rows.
 */
export const answersOf = (rows: readonly Row[], labelCount?: number, annotatorCount?: number): CategoricalAnswers => {
  const count = (numbers: readonly number[]): number => Math.max(-1, ...numbers) + 1
  return {
    items: Int32Array.from(rows, ({ item }) => item),
    annotators: Int32Array.from(rows, ({ annotator }) => annotator),
    labels: Int32Array.from(rows, ({ label }) => label),
    itemCount: count(rows.map(({ item }) => item)),
    annotatorCount: annotatorCount ?? count(rows.map(({ annotator }) => annotator)),
    labelCount: labelCount ?? count(rows.map(({ label }) => label)),
  }
}

/**
 * Converts a table of answers to rows. Each string contains the answers to one item. It has a digit for each annotator, or a dot
 * if the annotator has not answered.
 */
export const rowsOf = (table: readonly string[]): Row[] =>
  table.flatMap((line, item) =>
    [...line].flatMap((digit, annotator): Row[] => (digit === '.' ? [] : [{ item, annotator, label: Number(digit) }])),
  )

const anyAnswer = fc.record({ annotator: fc.nat(ANNOTATORS - 1), label: fc.oneof(fc.constant(0), fc.nat(LABELS - 1)) })

/** One to six answers to each of a few items. An annotator may answer an item twice. */
export const anyRows: fc.Arbitrary<Row[]> = fc
  .array(fc.array(anyAnswer, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 12 })
  .map((items) => items.flatMap((answers, item) => answers.map((answer) => ({ item, ...answer }))))

const PAIRS = 3
/** The answers to an item, one for each annotator: the label 0 or 1, or 2 if the annotator gave no answer. */
const anyPattern = fc.array(fc.constantFrom(0, 1, 1, 2), { minLength: 2 * PAIRS, maxLength: 2 * PAIRS })
const anyHalf = fc.array(fc.constantFrom(0, 1, 2), { minLength: PAIRS, maxLength: PAIRS })

/**
 * Answers with the labels 0 and 1. The annotators form the pairs 0 and 1, 2 and 3, and 4 and 5. If the annotators of each pair
 * are swapped and the two labels are also swapped, the answers stay the same. For the `tied` items, the annotators of each pair
 * contradict each other. Nothing therefore distinguishes the two labels of these items.
 */
export const anyMirroredRows: fc.Arbitrary<{ readonly rows: readonly Row[]; readonly tied: readonly number[] }> = fc
  .tuple(fc.array(anyPattern, { minLength: 1, maxLength: 15 }), fc.array(anyHalf, { minLength: 1, maxLength: 8 }))
  .map(([patterns, halves]) => {
    const swapped = (label: number): number => (label === 2 ? 2 : 1 - label)
    const mirrored = patterns.map((pattern) => pattern.map((_, annotator) => swapped(pattern[annotator ^ 1]!)))
    const contradictions = halves.map((half) => half.flatMap((label) => [label, swapped(label)]))
    const isAnswered = (labels: readonly number[]): boolean => labels.some((label) => label < 2)
    const [first, last] = [[...patterns, ...mirrored].filter(isAnswered), contradictions.filter(isAnswered)]
    const table = [...first, ...last].map((labels) => labels.join('').replaceAll('2', '.'))
    return { rows: rowsOf(table), tied: last.map((_, i) => first.length + i) }
  })
