import type { AnswerValue, Span } from '@postil/contract/answer-value.ts'
import type { AlignmentReference, AlignmentSplit, ModelDisagreement } from '@postil/contract/model-alignment.ts'
import { currentAnswerValue } from '@postil/contract/question-types/index.ts'
import { offeredOptions } from '@postil/contract/question-types/label-changes.ts'
import type { SuggestionScore } from '@postil/contract/suggestions.ts'
import { notFound, unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import {
  type Answers,
  type MeasureInput,
  type QuestionValues,
  readReference,
  readSubmittedTo,
  readValues,
} from '#features/agreement/public.ts'
import { type FieldRow, fieldRows, type QuestionRow, questionRowsAt } from '#features/schema/public.ts'
import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import { serverQuestionType } from '#question-types/registry.ts'
import { type OfRun, requireRun } from '../runs/operations.ts'
import { printFields } from '../runs/prompt.ts'
import type { RunRow } from '../runs/rows.ts'
import type { StoredResults } from '../runs/setup.ts'
import { isInDevHalf, promptBatches, promptRecords } from '../runs/source.ts'
import type { Duel } from './alternative.ts'
import type { Pair, ScorePoint } from './figures.ts'
import { type Orders, type PositionBias, positionBias } from './position.ts'

/** The number of a run's answers that are read at a time. */
const ITEMS_AT_ONCE = 1000

export type Compared = OfRun & {
  readonly against: AlignmentReference
  readonly split: AlignmentSplit
  /** The run that this one is compared with, if any. */
  readonly other: string | null
}

type Given = { readonly value: AnswerValue; readonly score: SuggestionScore | null }
/** A run's answers to a question, in record order. */
type RunAnswers = {
  readonly seqs: number[]
  readonly ids: string[]
  readonly given: Given[]
  /** For each comparison that the model was asked about twice, the second time with swapped fields: both answers. */
  readonly orders: Orders[]
}

/** Calls `visit` with each answer of a run, in record order. */
const forEachItem = async (
  db: Db,
  run: RunRow,
  visit: (seq: number, recordId: string, results: StoredResults) => void,
): Promise<void> => {
  for (let after = -1; ; ) {
    const rows = await db.sql
      .selectFrom('run_items')
      .select(['seq', 'record_id', 'results'])
      .where('dataset_no', '=', run.dataset_no)
      .where('run_id', '=', run.id)
      .where('seq', '>', after)
      .where('results', 'is not', null)
      .orderBy('seq')
      .limit(ITEMS_AT_ONCE)
      .execute()
    for (const { seq, record_id, results } of rows) visit(seq, record_id, results as StoredResults)
    const last = rows.at(-1)
    if (last === undefined || rows.length < ITEMS_AT_ONCE) return
    after = last.seq
    await db.dialect.flush()
  }
}

const readRun = async (db: Db, run: RunRow, questions: readonly QuestionRow[]): Promise<ReadonlyMap<string, RunAnswers>> => {
  const found = new Map(questions.map(({ name }): [string, RunAnswers] => [name, { seqs: [], ids: [], given: [], orders: [] }]))
  await forEachItem(db, run, (seq, recordId, results) => {
    for (const { name, settings } of questions) {
      const result = results[name]
      const answers = found.get(name)
      if (result === undefined || answers === undefined) continue
      answers.seqs.push(seq)
      answers.ids.push(recordId)
      answers.given.push({ value: currentAnswerValue(result.value, settings), score: result.score })
      const [inOrder, swapped] = result.orders ?? []
      if (inOrder !== undefined && swapped !== undefined)
        answers.orders.push([currentAnswerValue(inOrder, settings), currentAnswerValue(swapped, settings)])
    }
  })
  return found
}

/** For each record in `seqs`, the value that more than half of the record's annotators have given; −1 if there is none. */
const majorityOf = ({ answers, seqs: answered }: QuestionValues, seqs: readonly number[]): Int32Array => {
  const { starts, values } = answers
  const found = new Int32Array(seqs.length).fill(-1)
  let unit = 0
  seqs.forEach((seq, at) => {
    while (unit < answered.length && answered[unit]! < seq) unit += 1
    if (answered[unit] !== seq) return
    const [from, to] = [starts[unit]!, starts[unit + 1]!]
    const counts = new Map<number, number>()
    for (let i = from; i < to; i += 1) counts.set(values[i]!, (counts.get(values[i]!) ?? 0) + 1)
    for (const [value, count] of counts) if (2 * count > to - from) found[at] = value
  })
  return found
}

/** The reference of each record, as an index into the question's values; −1 if there is none. */
const referenceOf = (db: Db, datasetNo: number, values: QuestionValues, seqs: readonly number[], against: AlignmentReference) =>
  against === 'majority'
    ? majorityOf(values, seqs)
    : readReference(db, {
        datasetNo,
        question: values.name,
        seqs: Uint32Array.from(seqs),
        indexOf: values.indexOf,
      })

/**
 * A record of the requested half (`dev` or `test`). Both of these exist for the question: an answer from the run, and a reference
 * with which it is compared.
 */
type Unit = { readonly seq: number; readonly id: string; readonly given: Given; readonly pair: Pair }

type Joined = {
  readonly values: QuestionValues
  readonly units: readonly Unit[]
  /** The run's values for records without a reference, in both halves. */
  readonly rest: readonly number[]
  /** The run's value for each record in the half that `split` selects, including records without a reference. */
  readonly given: ReadonlyMap<number, number>
}

const join = async (
  db: Db,
  {
    run,
    question,
    answers,
    against,
    split,
  }: Pick<Compared, 'against' | 'split'> & {
    readonly run: RunRow
    readonly question: QuestionRow
    readonly answers: RunAnswers
  },
): Promise<Joined & { readonly users: readonly string[] }> => {
  const { seqs, ids, given } = answers
  const submitted = await readSubmittedTo(db, run.dataset_no, Float64Array.from(seqs))
  const values = await readValues(db, run.dataset_no, question, submitted)
  const reference = await referenceOf(db, run.dataset_no, values, seqs, against)
  const units: Unit[] = []
  const rest: number[] = []
  const ofHalf = new Map<number, number>()
  seqs.forEach((seq, at) => {
    const one = given[at]!
    const index = values.indexOf(one.value as never)
    // Skips a value that is no longer an option and that no annotator has used.
    if (index < 0) return
    const id = ids[at]!
    const expected = reference[at]!
    const isWanted = isInDevHalf(id) === (split === 'dev')
    if (isWanted) ofHalf.set(seq, index)
    if (expected < 0) rest.push(index)
    else if (isWanted) units.push({ seq, id, given: one, pair: [expected, index] })
  })
  return { values, units, rest, given: ofHalf, users: submitted.users }
}

/** The answers of people to the compared records. */
const peopleIn = ({ answers, seqs }: QuestionValues, compared: ReadonlySet<number>): { answers: Answers; seqs: Uint32Array } => {
  const [starts, raters, values, kept]: [number[], number[], number[], number[]] = [[0], [], [], []]
  seqs.forEach((seq, unit) => {
    if (!compared.has(seq)) return
    for (let i = answers.starts[unit]!; i < answers.starts[unit + 1]!; i += 1) {
      raters.push(answers.raters[i]!)
      values.push(answers.values[i]!)
    }
    starts.push(values.length)
    kept.push(seq)
  })
  return {
    answers: { starts: Uint32Array.from(starts), raters: Uint32Array.from(raters), values: Uint32Array.from(values) },
    seqs: Uint32Array.from(kept),
  }
}

/** Represents the reference and the model as two raters of each record. */
const asRaters = (units: readonly Unit[]): Answers => ({
  starts: Uint32Array.from({ length: units.length + 1 }, (_, i) => 2 * i),
  raters: Uint32Array.from({ length: 2 * units.length }, (_, i) => i % 2),
  values: Uint32Array.from(units.flatMap(({ pair }) => pair)),
})

const spanKey = ({ label, start, end }: Span): string => JSON.stringify([label, start, end])

/**
 * The scored values, and whether each of them is right. In a list of labels or spans, each item has its own score. A ranking has
 * no score.
 */
const pointsOf = ({ values, units }: Joined, kind: MeasureInput['kind']): ScorePoint[] =>
  units.flatMap(({ given: { value, score }, pair: [expected, index] }): ScorePoint[] => {
    if (typeof score === 'number') return [{ score, isRight: expected === index }]
    if (!Array.isArray(score) || !Array.isArray(value) || score.length !== value.length) return []
    const reference = values.valueOf(expected) as readonly unknown[]
    const keyOf = (item: unknown): string => (kind === 'spans' ? spanKey(item as Span) : String(item))
    if (kind !== 'spans' && kind !== 'sets') return []
    const right = new Set(reference.map(keyOf))
    return value.map((item, i) => ({ score: score[i]!, isRight: right.has(keyOf(item)) }))
  })

/** For each annotator of a record, computes how closely the model and this annotator agree with the other annotators. */
const duelsOf = ({ values, given }: Joined, { settings }: QuestionRow): Duel[] => {
  const measured = serverQuestionType(settings).similarity?.(settings)
  if (measured === undefined) return []
  const { answers, seqs } = values
  const similarity = (a: number, b: number): number => (a === b ? 1 : measured(values.valueOf(a), values.valueOf(b)))
  return Array.from(seqs).flatMap((seq, unit): Duel[] => {
    const [from, to] = [answers.starts[unit]!, answers.starts[unit + 1]!]
    const own = given.get(seq)
    if (own === undefined || to - from < 2) return []
    return Array.from({ length: to - from }, (_, i): Duel => {
      let [model, person] = [0, 0]
      for (let j = from; j < to; j += 1) {
        if (j === from + i) continue
        model += similarity(own, answers.values[j]!)
        person += similarity(answers.values[from + i]!, answers.values[j]!)
      }
      return { rater: answers.raters[from + i]!, model, person }
    })
  })
}

/** Returns the length of each record's fields in the prompt, in characters. */
const lengthsOf = async (
  db: Db,
  run: RunRow,
  { fields, units }: { readonly fields: readonly FieldRow[]; readonly units: readonly Unit[] },
): Promise<ReadonlyMap<number, number>> => {
  const found = new Map<number, number>()
  for (let at = 0; at < units.length; at += ITEMS_AT_ONCE) {
    const seqs = units.slice(at, at + ITEMS_AT_ONCE).map(({ seq }) => seq)
    for (const batch of await promptBatches(db, run.dataset_no, seqs)) {
      for (const record of await promptRecords(db, run.dataset_no, batch))
        found.set(record.seq, Array.from(printFields({ fields }, record.fields)).length)
      await db.dialect.flush()
    }
  }
  return found
}

export type AlignedQuestion = {
  readonly id: string
  readonly name: string
  readonly labels: readonly (string | number)[]
  /** `model`: the reference and the model, as two raters of each record. `people`: the people, as raters of the same records. */
  readonly model: MeasureInput
  readonly people: MeasureInput
  readonly pairs: readonly Pair[]
  readonly points: readonly ScorePoint[]
  /** The length of each record, in the order of `pairs`. */
  readonly lengths: readonly number[]
  readonly rest: readonly number[]
  /** The indexes of the two options of a question that offers exactly two; otherwise null. */
  readonly binary: readonly [number, number] | null
  readonly duels: readonly Duel[]
  /** The users that the raters' numbers refer to. */
  readonly users: readonly string[]
  /** For each record that both runs have answered: whether this run is right, and whether the other run is right. */
  readonly others: readonly (readonly [boolean, boolean])[] | null
  readonly position: PositionBias | null
}

/** The indexes of the two options of a question that offers exactly two; null for all other questions. */
const binaryOf = ({ settings }: QuestionRow, values: QuestionValues, kind: MeasureInput['kind']) => {
  if (kind !== 'categories' && kind !== 'scale') return null
  const offered = offeredOptions(settings as { readonly options: { readonly value: string }[] })
  const [first, second, third] = offered.map(({ value }) => values.indexOf(value as never))
  return first === undefined || second === undefined || third !== undefined ? null : ([first, second] as const)
}

/** For each record that both runs have answered: whether this run is right, and whether the other run is right. */
const compareRuns = ({ values, units }: Joined, other: RunAnswers): (readonly [boolean, boolean])[] => {
  const indexes = new Map(other.seqs.map((seq, i) => [seq, values.indexOf(other.given[i]!.value as never)]))
  return units.flatMap(({ seq, pair: [expected, index] }) => {
    const theirs = indexes.get(seq)
    return theirs === undefined ? [] : [[expected === index, expected === theirs] as const]
  })
}

/** Returns those questions of a run that still exist. */
const questionsOf = async (db: Db, run: RunRow): Promise<readonly QuestionRow[]> =>
  (await questionRowsAt(db, run.dataset_no)).filter(({ name }) => run.setup.questions.includes(name))

/**
 * Reads a run's answers and people's answers from one snapshot, question by question. Slow. @throws Problem not_found, forbidden
 */
export const readAlignment = query(
  'models.alignment',
  async (db, { against, split, other, ...of }: Compared): Promise<readonly AlignedQuestion[]> => {
    const run = await requireRun(db, of, false)
    const rival = other === null ? null : await requireRun(db, { user: of.user, run_id: other }, false)
    if (rival !== null && rival.dataset_no !== run.dataset_no) throw notFound('Model run', rival.id)
    const questions = await questionsOf(db, run)
    const answered = await readRun(db, run, questions)
    const rivals = rival === null ? null : await readRun(db, rival, questions)
    const { id: datasetId } = await db.sql
      .selectFrom('datasets')
      .select('id')
      .where('no', '=', run.dataset_no)
      .executeTakeFirstOrThrow()
    const fields = await fieldRows(db, datasetId)
    const lengths = new Map<number, number>()
    const aligned: AlignedQuestion[] = []
    for (const question of questions) {
      const answers = answered.get(question.name)
      if (answers === undefined) continue
      const joined = await join(db, { run, question, answers, against, split })
      const { values, units, rest, users } = joined
      const others =
        rivals === null ? null : compareRuns(joined, rivals.get(question.name) ?? { seqs: [], ids: [], given: [], orders: [] })
      const seqs = units.map(({ seq }) => seq)
      const people = peopleIn(values, new Set(seqs))
      const model = await values.inputOf({ answers: asRaters(units), raters: 2 }, Uint32Array.from(seqs))
      const unread = units.filter(({ seq }) => !lengths.has(seq))
      for (const [seq, length] of await lengthsOf(db, run, { fields, units: unread })) lengths.set(seq, length)
      aligned.push({
        id: question.id,
        name: question.name,
        labels: values.labels,
        model,
        people: await values.inputOf({ answers: people.answers, raters: users.length }, people.seqs),
        pairs: units.map(({ pair }) => pair),
        points: pointsOf(joined, model.kind),
        lengths: seqs.map((seq) => lengths.get(seq) ?? 0),
        rest,
        binary: binaryOf(question, values, model.kind),
        duels: duelsOf(joined, question),
        users,
        others,
        position: positionBias(question, answers.orders, fields),
      })
    }
    return aligned
  },
)

type Page = Omit<Compared, 'other'> & { readonly question: string; readonly offset: number; readonly limit: number }

/**
 * Reads the records where the run's answer to a question differs from the reference. Slow.
 * @throws Problem not_found, forbidden, unprocessable
 */
export const readDisagreements = query(
  'models.disagreements',
  async (db, { against, split, question: name, offset, limit, ...of }: Page): Promise<ModelDisagreement[]> => {
    const run = await requireRun(db, of, false)
    const question = (await questionsOf(db, run)).find((one) => one.name === name)
    if (question === undefined) throw unprocessable(message('notInDataset', { part: 'Question', name }))
    const answers = (await readRun(db, run, [question])).get(name)
    if (answers === undefined) return []
    const { values, units } = await join(db, { run, question, answers, against, split })
    const page = units.filter(({ pair: [expected, index] }) => expected !== index).slice(offset, offset + limit)
    if (page.length === 0) return []
    const rows = await db.sql
      .selectFrom('run_items')
      .select(['seq', 'rationale'])
      .where('dataset_no', '=', run.dataset_no)
      .where('run_id', '=', run.id)
      .where('seq', 'in', db.dialect.listed(page.map(({ seq }) => seq)))
      .execute()
    const rationales = new Map(rows.map(({ seq, rationale }) => [seq, rationale]))
    return page.map(({ seq, id, given: { value }, pair: [expected] }) => ({
      record_id: id,
      value,
      expected: values.valueOf(expected),
      rationale: rationales.get(seq) ?? null,
    }))
  },
)
