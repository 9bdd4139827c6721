import type { AnswerValue } from '@postil/contract/answer-value.ts'
import { comparedFields, type Sides } from '@postil/contract/comparison-sides.ts'
import { shownValues } from '@postil/contract/conditions.ts'
import type { FieldValues } from '@postil/contract/field-values.ts'
import type { Compared } from '@postil/contract/question-types/comparison.ts'
import type { FieldRow, QuestionRow } from '#features/schema/public.ts'
import { serverFieldType } from '#field-types/registry.ts'
import type { PromptRecord, PromptSource } from './prompt.ts'
import { type Answered, combineSamples, hiddenIn } from './read-answer.ts'
import type { StoredResults } from './setup.ts'

/** How a question compares fields. Null if it is not a comparison question. */
export const comparedBy = ({ settings }: Pick<QuestionRow, 'settings'>): Compared | null =>
  'compare' in settings ? settings.compare : null

/**
 * Two fields, and the comparison questions about them. The model is asked these questions again with the contents of the two
 * fields swapped.
 */
type Swap = { readonly fields: Sides; readonly questions: readonly QuestionRow[] }

const holdsImages = (fields: readonly FieldRow[], name: string): boolean =>
  fields.some((field) => field.name === name && serverFieldType(field.settings).holdsImages)

/**
 * Groups the answered comparisons by the two fields that they compare. The model is asked about each group a second time, with
 * these fields swapped. Comparisons of images are left out, because prompts don't contain images.
 */
export const swapsIn = (
  { fields, questions }: Pick<PromptSource, 'fields' | 'questions'>,
  values: StoredResults,
): readonly Swap[] => {
  const found = new Map<string, { fields: Sides; questions: QuestionRow[] }>()
  for (const question of questions) {
    const compare = comparedBy(question)
    if (compare === null || values[question.name] === undefined) continue
    const pair = comparedFields(compare)
    if (pair.some((name) => holdsImages(fields, name))) continue
    const key = JSON.stringify(pair.toSorted())
    const swap = found.get(key) ?? { fields: pair, questions: [] }
    swap.questions.push(question)
    found.set(key, swap)
  }
  return [...found.values()]
}

export const swappedFields = (values: FieldValues, [first, second]: Sides): FieldValues => ({
  ...values,
  [first]: values[second] ?? null,
  [second]: values[first] ?? null,
})

/** The option that prefers the other field equally strongly. Options that prefer no field stay the same. */
const mirrored = (compare: Compared, option: string): string => {
  const field = compare.options[option]
  if (field === undefined) return option
  const isStrong = compare.strong.includes(option)
  const other = Object.entries(compare.options).find(
    ([value, preferred]) => preferred !== field && compare.strong.includes(value) === isStrong,
  )
  return other?.[0] ?? option
}

/** Converts answers that were given with swapped fields into answers about the record itself. */
const restored = (questions: readonly QuestionRow[], { values, rationale }: Answered): Answered => ({
  rationale,
  values: Object.fromEntries(
    questions.flatMap((question) => {
      const compare = comparedBy(question)
      const given = values[question.name]
      if (compare === null || given === undefined) return []
      // Safe: the value of a comparison is the value of an option.
      const value: AnswerValue = mirrored(compare, given.value as string)
      return [[question.name, { ...given, value }]]
    }),
  ),
})

type Orders = {
  /** The answers with the fields in the order of the record. */
  readonly samples: readonly Answered[]
  /** The answers with swapped fields. */
  readonly swapped: readonly Answered[]
  /** The number of samples requested from the model for each order of the fields. */
  readonly count: number
  /** The comparisons that were asked about in both orders. */
  readonly questions: readonly QuestionRow[]
  readonly source: Pick<PromptSource, 'questions'>
  readonly record: Pick<PromptRecord, 'metadata'>
}

/**
 * Combines the samples of comparisons for which the model was asked about the two fields in both orders. The answer to each
 * comparison is its most frequent value in all samples. The score is the share of samples with this value. In a tie, the value
 * that occurs first wins. Samples with the fields in the record's order come first.
 */
export const combineOrders = (answered: Answered, { samples, swapped, count, questions, source, record }: Orders): Answered => {
  const own = { questions }
  const named = new Set(questions.map(({ name }) => name))
  const first = samples.map(({ values, rationale }) => ({
    rationale,
    values: Object.fromEntries(Object.entries(values).filter(([name]) => named.has(name))),
  }))
  const second = swapped.map((sample) => restored(questions, sample))
  const [inOrder, inOther, inBoth] = [
    combineSamples(first, count, own, record).values,
    combineSamples(second, count, own, record).values,
    combineSamples([...first, ...second], 2 * count, own, record).values,
  ]
  const combined = { ...answered.values }
  for (const name of named) {
    const [one, other, both] = [inOrder[name], inOther[name], inBoth[name]]
    if (one !== undefined && other !== undefined && both !== undefined)
      combined[name] = { ...both, orders: [one.value, other.value] }
  }
  return { values: shownValues(combined, hiddenIn(source, combined, record.metadata)), rationale: answered.rationale }
}
