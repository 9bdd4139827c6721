import type { AnswerValue, Span } from '@postil/contract/answer-value.ts'
import { labelPaths } from '@postil/contract/question-types/label-tree.ts'
import { forbidden, notFound } from '@postil/contract/wire/errors.ts'
import { datasetFor, type FoundDataset } from '#features/datasets/public.ts'
import { type QuestionRow, questionRows } from '#features/schema/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import { treeOptions } from '#question-types/label-paths.ts'
import { serverQuestionType } from '#question-types/registry.ts'
import type { Answers } from './measures/answers.ts'
import type { MeasureInput } from './measures/measure.ts'
import { agreementPolicy } from './policy.ts'
import { readReference } from './reading/final.ts'
import { compareItems } from './reading/items.ts'
import { readLabels, readRatings, readSets } from './reading/narrow.ts'
import { readSubmitted, type Selection, type Submitted } from './reading/submitted.ts'
import { readLengths, readRankings, readSpans, readTexts } from './reading/whole.ts'

export type OfDataset = { readonly user: Actor; readonly dataset_id: string }

/** @throws Problem not_found, forbidden */
const datasetToCompare = async (db: Db, { user, dataset_id }: OfDataset): Promise<FoundDataset> => {
  const dataset = await datasetFor(db, dataset_id, user)
  if (!agreementPolicy.see(user, dataset)) throw forbidden()
  return dataset
}

/** Checks that the caller may see the agreement in a dataset. @throws Problem not_found, forbidden */
export const mayCompare = query('agreement.may-compare', async (db, of: OfDataset): Promise<void> => {
  await datasetToCompare(db, of)
})

/** The answers to one question. */
export type QuestionAnswers = {
  readonly id: string
  readonly name: string
  /** The labels or numbers that the indexes of `input` refer to. */
  readonly labels: readonly (string | number)[]
  readonly input: MeasureInput
}
type DatasetAnswers = {
  /** The users that the raters' numbers refer to. */
  readonly users: readonly string[]
  readonly questions: readonly QuestionAnswers[]
}

/** For each label, its path from the top of the label tree, as indexes into `labels`. Omitted if the labels form no tree. */
const treeOf = (settings: object, labels: readonly string[]): { readonly paths?: readonly (readonly number[])[] } => {
  const options = treeOptions(settings)
  if (options === null) return {}
  const paths = labelPaths(options)
  const indexes = new Map(labels.map((label, i) => [label, i]))
  return { paths: labels.map((label, i) => (paths.get(label) ?? [label]).map((one) => indexes.get(one) ?? i)) }
}

type Options = { readonly options?: readonly { readonly value: string | number }[]; readonly field?: string }
const numberOf = ({ value }: { readonly value: string | number }): number => Number(value)

/**
 * The answers to one question of any type, as indexes into a list of distinct values. Values from elsewhere, such as final
 * answers, can be added to the list for a comparison.
 */
export type QuestionValues = {
  readonly id: string
  readonly name: string
  /** What people have submitted. */
  readonly answers: Answers
  /** For each unit of `answers`, the `seq` of its record. In ascending order. */
  readonly seqs: Uint32Array
  /**
   * Returns the index, in the list of distinct values, of a value from another source, such as a final answer. Returns −1 if the
   * value can't be compared.
   */
  readonly indexOf: (value: never) => number
  readonly valueOf: (index: number) => AnswerValue
  /** Call it after the last call of `indexOf`. @param seqs the record of each unit */
  readonly inputOf: (given: Pick<MeasureInput, 'answers' | 'raters' | 'reference'>, seqs: Uint32Array) => Promise<MeasureInput>
  /**
   * The labels or numbers to which the indexes in the result of `inputOf` refer. Read this list only after `inputOf` has
   * resolved, because `inputOf` can add labels.
   */
  readonly labels: readonly (string | number)[]
}

/** Reads the answers to a question. */
export const readValues = async (
  db: Db,
  datasetNo: number,
  { id, no, name, settings }: QuestionRow,
  submitted: Submitted,
): Promise<QuestionValues> => {
  const { options = [], field = '' } = settings as Options
  const { compared } = serverQuestionType(settings)
  const narrow = { datasetNo, questionNo: no }
  const labels = options.map(({ value }) => String(value))
  const common = (values: Int32Array) => ({ id, name, ...submitted.answersWith(values) })
  if (compared === 'scale') {
    const { values, scale } = await readRatings(db, narrow, submitted, options.map(numberOf))
    return {
      ...common(values),
      labels: scale,
      indexOf: (value: number) => scale.indexOf(value),
      valueOf: (i) => scale[i]!,
      inputOf: async (given) => ({ ...given, kind: compared, scale }),
    }
  }
  if (compared === 'categories') {
    const values = await readLabels(db, narrow, submitted, labels)
    return {
      ...common(values),
      labels,
      indexOf: (value: string) => labels.indexOf(value),
      valueOf: (i) => labels[i]!,
      inputOf: async (given) => ({ ...given, kind: compared, labels: labels.length, ...treeOf(settings, labels) }),
    }
  }
  if (compared === 'sets') {
    const { values, sets, indexOf } = await readSets(db, narrow, submitted, labels)
    return {
      ...common(values),
      labels,
      indexOf,
      valueOf: (i) => sets[i]!.map((label) => labels[label]!),
      inputOf: async (given) => ({ ...given, kind: compared, labels: labels.length, sets, ...treeOf(settings, labels) }),
    }
  }
  if (compared === 'order') {
    const { values, rankings, distinct, indexOf } = await readRankings(db, datasetNo, name, submitted, labels)
    return {
      ...common(values),
      labels: [],
      indexOf,
      valueOf: (i) => [...distinct[i]!],
      inputOf: async (given) => ({ ...given, kind: 'rankings', rankings: rankings() }),
    }
  }
  if (compared === 'spans') {
    const { values, distinct: spans, indexOf } = await readSpans(db, datasetNo, name, submitted)
    const used = [...labels]
    return {
      ...common(values),
      labels: used,
      indexOf,
      valueOf: (i) => [...spans[i]!],
      inputOf: async (given, seqs) => {
        for (const label of new Set(spans.flatMap((list) => list.map((span) => span.label))))
          if (!used.includes(label)) used.push(label)
        return { ...given, kind: compared, spans, labels: used, lengths: await readLengths(db, datasetNo, field, seqs) }
      },
    }
  }
  const { values, distinct: texts, indexOf } = await readTexts(db, datasetNo, name, submitted)
  return {
    ...common(values),
    labels: [],
    indexOf,
    valueOf: (i) => texts[i]!,
    inputOf: async (given) =>
      compared === 'choices' ? { ...given, kind: compared, values: texts.length } : { ...given, kind: 'texts', texts },
  }
}

type Given = {
  readonly submitted: Submitted
  /** Whether the answers are also compared with the final answers. */
  readonly withFinal: boolean
}

const readQuestion = async (
  db: Db,
  datasetNo: number,
  question: QuestionRow,
  { submitted, withFinal }: Given,
): Promise<QuestionAnswers> => {
  const {
    id,
    name,
    answers,
    seqs,
    indexOf,
    inputOf,
    valueOf: valueAt,
    labels,
  } = await readValues(db, datasetNo, question, submitted)
  const reference = withFinal ? await readReference(db, { datasetNo, question: name, seqs, indexOf }) : undefined
  const given = { answers, raters: submitted.users.length, reference }
  const items = serverQuestionType(question.settings).itemized?.(question.settings)
  if (items === undefined) return { id, name, labels, input: await inputOf(given, seqs) }
  // Only questions whose answers are lists of spans have items, so each value is a list of spans.
  const spansOf = valueAt as (index: number) => readonly Span[]
  return { id, name, ...compareItems(items, given, { spansOf, options: labels }) }
}

export const readSubmittedTo = async (db: Db, datasetNo: number, seqs: Float64Array): Promise<Submitted> =>
  readSubmitted(db, datasetNo, await sizeOf(db, datasetNo), { users: null, since: null, version: null, seqs })

const sizeOf = async (db: Db, datasetNo: number): Promise<number> => {
  const state = await db.sql.selectFrom('dataset_state').select('next_seq').where('dataset_no', '=', datasetNo).executeTakeFirst()
  return state?.next_seq ?? 1
}

type Read = OfDataset & {
  readonly selection: Selection
  readonly withFinal: boolean
}

/** Reads the submitted answers to all questions in one snapshot. Slow. @throws Problem not_found, forbidden */
export const readAgreement = query(
  'agreement.read',
  async (db, { selection, withFinal, ...of }: Read): Promise<DatasetAnswers> => {
    const dataset = await datasetToCompare(db, of)
    const submitted = await readSubmitted(db, dataset.no, await sizeOf(db, dataset.no), selection)
    const questions: QuestionAnswers[] = []
    for (const question of await questionRows(db, dataset.id)) {
      questions.push(await readQuestion(db, dataset.no, question, { submitted, withFinal }))
    }
    return { users: submitted.users, questions }
  },
)

type Compared = {
  readonly user: Actor
  readonly question_id: string
  readonly users: readonly string[]
  readonly withFinal: boolean
}

/**
 * Reads the submitted answers of some users to one question and, if requested, the final answers. @throws Problem not_found,
 * forbidden
 */
export const readCompared = query(
  'agreement.read-compared',
  async (db, { user, question_id, users, withFinal }: Compared): Promise<DatasetAnswers> => {
    const absent = notFound('Question', question_id)
    const place = await db.sql
      .selectFrom('questions')
      .innerJoin('datasets', 'datasets.id', 'questions.dataset_id')
      .select('dataset_id')
      .where('questions.id', '=', question_id)
      .where('datasets.gone_at', 'is', null)
      .executeTakeFirst()
    if (place === undefined) throw absent
    const dataset = await datasetToCompare(db, { user, dataset_id: place.dataset_id })
    const question = (await questionRows(db, dataset.id)).find(({ id }) => id === question_id)
    if (question === undefined) throw absent
    const selection = { users, since: null, version: null, seqs: null }
    const submitted = await readSubmitted(db, dataset.no, await sizeOf(db, dataset.no), selection)
    return { users: submitted.users, questions: [await readQuestion(db, dataset.no, question, { submitted, withFinal })] }
  },
)

/** The submitted answers to a question. Each answer names one category: a label or a rating. */
export type Categories = {
  /** The users that `answers.raters` refers to. */
  readonly users: readonly string[]
  /** The values that `answers.values` refers to. Some values may no longer be options. */
  readonly values: readonly (string | number)[]
  readonly answers: Answers
  /** For each unit of `answers`, the `seq` of the unit's record. In ascending order. */
  readonly seqs: Uint32Array
}

/** Whether each answer to a question names one category. */
export const hasCategories = ({ settings }: Pick<QuestionRow, 'settings'>): boolean =>
  ['categories', 'scale'].includes(serverQuestionType(settings).compared)

/** Reads the submitted answers to questions with categories, in the order of the questions. Slow. */
export const readCategories = async (db: Db, datasetNo: number, questions: readonly QuestionRow[]): Promise<Categories[]> => {
  const submitted = await readSubmitted(db, datasetNo, await sizeOf(db, datasetNo), {
    users: null,
    since: null,
    version: null,
    seqs: null,
  })
  const found: Categories[] = []
  for (const { no, settings } of questions) {
    const { options = [] } = settings as Options
    const question = { datasetNo, questionNo: no }
    if (serverQuestionType(settings).compared === 'scale') {
      const { values, scale } = await readRatings(db, question, submitted, options.map(numberOf))
      found.push({ users: submitted.users, values: scale, ...submitted.answersWith(values) })
    } else {
      const labels = options.map(({ value }) => String(value))
      const values = await readLabels(db, question, submitted, labels)
      found.push({ users: submitted.users, values: labels, ...submitted.answersWith(values) })
    }
  }
  return found
}
