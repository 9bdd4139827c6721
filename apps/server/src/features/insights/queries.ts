import type { ActiveTime } from '@postil/contract/active-time.ts'
import type { QuestionInsights, SuggestionInfluence, SuggestionInsights } from '@postil/contract/insights.ts'
import { forbidden } from '@postil/contract/wire/errors.ts'
import { sql } from 'kysely'
import { activeTimePolicy, activeTimes, isShownToLeads } from '#features/active-time/public.ts'
import { datasetFor, type FoundDataset } from '#features/datasets/public.ts'
import { recordCounts, submittedCounts } from '#features/progress/public.ts'
import { type QuestionRow, questionRows } from '#features/schema/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { valueKey } from '#platform/db/keys/index-keys.ts'
import { query } from '#platform/db/operations.ts'
import type { ResponseStatus } from '#platform/db/tables.ts'
import type { Micros } from '#platform/time.ts'
import { serverQuestionType } from '#question-types/registry.ts'
import { QUARTER, type QuarterCount } from './days.ts'
import { insightsPolicy } from './policy.ts'
import { countAnswered, countValues, type ValueCount } from './reading/values.ts'
import { countWhole, type WholeCounts } from './reading/whole.ts'

type OfDataset = { readonly user: Actor; readonly dataset_id: string }

const datasetToCount = async (db: Db, { user, dataset_id }: OfDataset): Promise<FoundDataset> => {
  const dataset = await datasetFor(db, dataset_id, user)
  if (!insightsPolicy.see(user, dataset)) throw forbidden()
  return dataset
}

/**
 * Checks that the caller may see a dataset's insights. @returns whether the caller sees the active time of other people. @throws
 * Problem not_found, forbidden
 */
export const maySeeInsights = query(
  'insights.may-see',
  async (db, of: OfDataset): Promise<{ readonly showsActiveTime: boolean }> => {
    const dataset = await datasetToCount(db, of)
    return { showsActiveTime: activeTimePolicy.seeOthers(of.user, dataset, await isShownToLeads(db, dataset.id)) }
  },
)

type Options = { readonly options?: readonly { readonly value: string | number }[] }
const optionsOf = ({ settings }: QuestionRow): readonly (string | number)[] =>
  ((settings as Options).options ?? []).map(({ value }) => value)

type ByValue = { readonly value: string | number; count: number; users: { user_id: string; count: number }[] }

/**
 * Groups the counts by value: the question's options in their order, and then values that are no longer options.
 * @param keyOf returns the value by which `counts` refers to an option
 */
const byValue = (
  options: readonly (string | number)[],
  counts: readonly ValueCount[],
  keyOf: (value: string) => string,
): QuestionInsights['values'] => {
  const known = new Map<string | number, ByValue>(
    options.map((value) => [typeof value === 'string' ? keyOf(value) : value, { value, count: 0, users: [] }]),
  )
  for (const { value, user_id, n } of counts) {
    const entry = known.get(value) ?? { value, count: 0, users: [] }
    entry.count += n
    entry.users.push({ user_id, count: n })
    known.set(value, entry)
  }
  return [...known.values()]
}

const readQuestion = async (db: Db, datasetNo: number, question: QuestionRow, whole: WholeCounts): Promise<QuestionInsights> => {
  const { indexed } = serverQuestionType(question.settings)
  const { id: question_id, name, no: questionNo } = question
  const options = optionsOf(question)
  if (indexed === 'nothing') {
    const counts = [...(whole.chosen.get(questionNo) ?? [])].flatMap(([value, users]) =>
      [...users].map(([user_id, n]) => ({ value, user_id, n })),
    )
    return { question_id, name, answers: whole.answered.get(questionNo) ?? 0, values: byValue(options, counts, (value) => value) }
  }
  const source =
    indexed === 'terms'
      ? ({ table: 'response_terms', column: 'value_key' } as const)
      : ({ table: 'response_numbers', column: 'number' } as const)
  const place = { datasetNo, questionNo }
  const counts = await countValues(db, place, source)
  return { question_id, name, answers: await countAnswered(db, place, source), values: byValue(options, counts, valueKey) }
}

const quartersOf = async (db: Db, datasetNo: number) => {
  const { rows } = await sql<{ user_id: string; status: ResponseStatus; quarter: number; n: number; last_at: Micros }>`
    select user_id, status, updated_at / ${sql.lit(QUARTER)} as quarter, count(*) as n, max(updated_at) as last_at
    from responses where dataset_no = ${datasetNo} group by 1, 2, 3`.execute(db.sql)
  return rows.map((row) => ({ ...row, quarter: Number(row.quarter), n: Number(row.n), last_at: Number(row.last_at) }))
}

const hasSuggestions = async (db: Db, datasetNo: number): Promise<boolean> =>
  (await db.sql.selectFrom('suggestions').select('seq').where('dataset_no', '=', datasetNo).limit(1).executeTakeFirst()) !==
  undefined

const sizeOf = async (db: Db, datasetNo: number): Promise<number> => {
  const state = await db.sql.selectFrom('dataset_state').select('next_seq').where('dataset_no', '=', datasetNo).executeTakeFirst()
  return state?.next_seq ?? 1
}

export type Counted = {
  readonly records: { readonly total: number; readonly completed: number; readonly pending: number }
  readonly needed: number
  readonly quarters: readonly (QuarterCount & { readonly last_at: Micros })[]
  /** By user. */
  readonly activeTimes: ReadonlyMap<string, ActiveTime>
  readonly questions: readonly QuestionInsights[]
  readonly suggestions: readonly SuggestionInsights[]
  readonly influence: readonly SuggestionInfluence[]
}

/** Counts everything in one snapshot. Slow. @throws Problem not_found, forbidden */
export const readInsights = query('insights.read', async (db, of: OfDataset): Promise<Counted> => {
  const { id, no, min_submitted } = await datasetToCount(db, of)
  const { total, completed, pending } = await recordCounts(db, no)
  const records = { total, completed, pending }
  const { answers, answers_needed } = await submittedCounts(db, no, records, min_submitted)
  const quarters = await quartersOf(db, no)
  const times = await activeTimes(db, no)
  const rows = await questionRows(db, id)
  const withSuggestions = await hasSuggestions(db, no)
  const needsWhole = rows.some(({ settings }) => serverQuestionType(settings).indexed === 'nothing')
  const isEmpty = quarters.every(({ status }) => status !== 'submitted')
  const size = isEmpty || !(withSuggestions || needsWhole) ? 0 : await sizeOf(db, no)
  const whole = await countWhole(db, no, { size, questions: rows, withSuggestions })
  const questions: QuestionInsights[] = []
  for (const question of rows) {
    questions.push(await readQuestion(db, no, question, whole))
    await db.dialect.flush()
  }
  const suggestions = whole.suggestions
    .map(({ question, agent, shown, accepted, confirmed, accepted_unseen, not_shown }) => ({
      question_id: question.id,
      name: question.name,
      agent,
      shown,
      accepted,
      changed: shown - accepted,
      confirmed,
      accepted_unseen,
      not_shown,
    }))
    .sort((a, b) => b.shown - a.shown || (a.name + (a.agent ?? '') < b.name + (b.agent ?? '') ? -1 : 1))
  return {
    records,
    needed: answers_needed - answers,
    quarters,
    activeTimes: times,
    questions,
    suggestions,
    influence: whole.influence.print(rows),
  }
})
