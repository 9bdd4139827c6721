import { answerValuesIn, readViewQuery } from '@postil/contract/annotation-query/view-query.ts'
import type { AnswerValue } from '@postil/contract/answer-value.ts'
import { replaceLabels, splitLabelsOf } from '@postil/contract/question-types/index.ts'
import type { AffectedCounts, SchemaChange, SchemaPlan, TextChange } from '@postil/contract/schema-versions.ts'
import { SchemaPlanBody } from '@postil/contract/schema-versions.ts'
import { forbidden, unprocessable } from '@postil/contract/wire/errors.ts'
import type { Limits } from '@postil/contract/wire/limits.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import { partsOf, renderMessage } from '@postil/contract/wire/render-message.ts'
import { mayChange, type StoredTextChange } from '#features/datasets/public.ts'
import { usernamesOf } from '#features/gold/public.ts'
import { countRunsAsking } from '#features/models/public.ts'
import {
  LabelList,
  labelSettings,
  labelsFault,
  type QuestionRow,
  questionRows,
  readableDataset,
  settingsWith,
} from '#features/schema/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { hashToken } from '#platform/auth/credentials.ts'
import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import { planConditions } from './conditions.ts'

const RECORDS_PER_BATCH = 2000
const MAX_EXAMPLES = 5

/** The changes to one question. */
type PlannedQuestion = { readonly question: QuestionRow; readonly labels: LabelList }
type Refused = { readonly change: number; readonly reason: Reason }
type Planned = {
  readonly questions: readonly PlannedQuestion[]
  readonly texts: readonly StoredTextChange[]
  readonly refused: readonly Refused[]
}

/** The parts of a dataset that are needed for a plan. */
export type PlannedDataset = { readonly no: number; readonly guidelines: string | null }

export const isTextEdit = (change: SchemaChange): change is TextChange =>
  change.type === 'edit_guidelines' || change.type === 'edit_description'

const isAnswered = async (db: Db, datasetNo: number, question: string): Promise<boolean> => {
  for (let after = -1; ; ) {
    const rows = await db.sql
      .selectFrom('responses')
      .select(['seq', 'values'])
      .where('dataset_no', '=', datasetNo)
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(RECORDS_PER_BATCH)
      .execute()
    if (rows.some(({ values }) => Object.hasOwn(values, question))) return true
    const last = rows.at(-1)
    if (last === undefined) return false
    after = last.seq
  }
}

const questionIn = (change: TextChange): string => ('question_id' in change ? change.question_id : '')

/** Returns the change to store, which also contains the earlier text. Returns null if the question doesn't exist. */
const plannedText = (
  change: TextChange,
  guidelines: string | null,
  questions: readonly QuestionRow[],
): StoredTextChange | null => {
  if (change.type === 'edit_guidelines') return { type: change.type, before: guidelines, after: change.text }
  const question = questions.find(({ id }) => id === change.question_id)
  if (question === undefined) return null
  return { type: change.type, question_id: question.id, before: question.description, after: change.text }
}

/** Makes the changes in memory. If they would make a question's labels invalid, the last change to this question is refused. */
export const makeChanges = async (
  db: Db,
  { no: datasetNo, guidelines }: PlannedDataset,
  questions: readonly QuestionRow[],
  { changes, limits }: { readonly changes: readonly SchemaChange[]; readonly limits: Limits },
): Promise<Planned> => {
  const texts: StoredTextChange[] = []
  const lists = new Map<string, PlannedQuestion & { last: number; answered: boolean | null }>()
  const refused: Refused[] = []
  for (const [i, change] of changes.entries()) {
    if (isTextEdit(change)) {
      const text = plannedText(change, guidelines, questions)
      if (text !== null) texts.push(text)
      else refused.push({ change: i, reason: message('questionUnknown', { id: questionIn(change) }) })
      continue
    }
    const question = questions.find(({ id }) => id === change.question_id)
    const settings = question === undefined ? null : labelSettings(question.settings)
    if (question === undefined || settings === null) {
      const reason = question === undefined ? message('questionUnknown', { id: change.question_id }) : message('noLabels')
      refused.push({ change: i, reason })
      continue
    }
    const planned = lists.get(question.id) ?? { question, labels: new LabelList(settings), last: i, answered: null }
    lists.set(question.id, planned)
    planned.last = i
    if (change.type === 'add_label' || change.type === 'split_label')
      planned.answered ??= await isAnswered(db, datasetNo, question.name)
    const reason = planned.labels.apply(change, planned.answered === true)
    if (reason !== null) refused.push({ change: i, reason })
  }
  for (const { labels, last } of lists.values()) {
    const reason = labelsFault(settingsWith(labels.settings, labels.after()), limits)
    if (reason !== null) refused.push({ change: last, reason })
  }
  return { questions: [...lists.values()], texts, refused }
}

/** Identifies the labels and texts on which a plan is based. */
const stateOf = ({ guidelines }: PlannedDataset, questions: readonly QuestionRow[]): string =>
  hashToken(
    JSON.stringify([
      guidelines,
      ...questions.map(({ id, description, settings, shown_when }) => [id, description, settings, shown_when]),
    ]),
  )

const printToken = (changes: readonly SchemaChange[], state: string): string =>
  Buffer.from(JSON.stringify({ changes, state })).toString('base64url')

/**
 * @returns the plan's changes, and whether the labels and texts are still as they were when the plan was made. @throws Problem
 * unprocessable
 */
export const readToken = (token: string, dataset: PlannedDataset, questions: readonly QuestionRow[]) => {
  const read = (): unknown => {
    try {
      return JSON.parse(Buffer.from(token, 'base64url').toString())
    } catch {
      return null
    }
  }
  const content = read()
  const parsed = SchemaPlanBody.safeParse(content)
  if (!parsed.success) throw unprocessable(message('planInvalid'))
  const { state } = content as { readonly state?: unknown }
  return { changes: parsed.data.changes, isCurrent: state === stateOf(dataset, questions) }
}

type Use = { readonly isUsed: boolean; readonly after: AnswerValue }

/** How the changes affect a value of the question. */
const useIn = ({ labels, question }: PlannedQuestion) => {
  const moved = labels.moved()
  const before = new Set(labels.settings.retired)
  const after = labels.after()
  const splitBefore = new Set(labels.settings.split?.map(({ from }) => from))
  const touched = new Set([
    ...moved.keys(),
    ...(after.retired ?? []).filter((value) => !before.has(value)),
    ...(after.split ?? []).flatMap(({ from }) => (splitBefore.has(from) ? [] : [from])),
  ])
  return (value: AnswerValue): Use => {
    let isUsed = false
    const after = replaceLabels(value, question.settings, (label) => {
      if (touched.has(label)) isUsed = true
      return moved.get(label) ?? label
    })
    return { isUsed, after }
  }
}

type Values = { readonly [question: string]: { readonly value: unknown } }
type Example = SchemaPlan['examples'][number]

const valueUsesIn = (planned: readonly PlannedQuestion[]) => {
  const uses = planned.map((one) => ({ id: one.question.id, name: one.question.name, use: useIn(one) }))
  return (values: Values): readonly Pick<Example, 'question_id' | 'before' | 'after'>[] =>
    uses.flatMap(({ id, name, use }) => {
      if (!Object.hasOwn(values, name)) return []
      const before = values[name]?.value as AnswerValue
      const { isUsed, after } = use(before)
      return isUsed ? [{ question_id: id, before, after }] : []
    })
}

/** Whether an answer contains a label that the changes split. */
const dueIn = (planned: readonly PlannedQuestion[]) => {
  const splits = planned.flatMap(({ question, labels }) => {
    const after = settingsWith(labels.settings, labels.after())
    return after.split === undefined ? [] : [{ name: question.name, moved: labels.moved(), settings: after }]
  })
  return (values: Values): boolean =>
    splits.some(({ name, moved, settings }) => {
      if (!Object.hasOwn(values, name)) return false
      const value = replaceLabels(values[name]?.value as AnswerValue, settings, (label) => moved.get(label) ?? label)
      return splitLabelsOf(value, settings).length > 0
    })
}

const rowsOf = (db: Db, table: 'responses' | 'gold', datasetNo: number, from: number) =>
  // Both tables start with the same columns.
  db.sql
    .selectFrom(table as 'responses')
    .where('dataset_no', '=', datasetNo)
    .where('seq', '>=', from)
    .where('seq', '<', from + RECORDS_PER_BATCH)
    .orderBy('seq')

const suggestionsWith = async (db: Db, datasetNo: number, from: number, planned: readonly PlannedQuestion[]): Promise<number> => {
  const uses = new Map(planned.map((one) => [one.question.no, useIn(one)]))
  const rows = await db.sql
    .selectFrom('suggestions')
    .select(['question_no', 'value'])
    .where('dataset_no', '=', datasetNo)
    .where('seq', '>=', from)
    .where('seq', '<', from + RECORDS_PER_BATCH)
    .where('question_no', 'in', [...uses.keys()])
    .execute()
  return rows.filter(({ question_no, value }) => uses.get(question_no)?.(value as AnswerValue).isUsed === true).length
}

const affectedBy = async (db: Db, datasetNo: number, planned: readonly PlannedQuestion[]) => {
  const usesIn = valueUsesIn(planned)
  const isDue = dueIn(planned)
  const counts = { answers: 0, due: 0, suggestions: 0, gold: 0 }
  const examples: (Omit<Example, 'user'> & { readonly user_id: string })[] = []
  if (planned.length === 0) return { counts, examples }
  const { next_seq: size } = await db.sql
    .selectFrom('dataset_state')
    .select('next_seq')
    .where('dataset_no', '=', datasetNo)
    .executeTakeFirstOrThrow()
  for (let from = 0; from < size; from += RECORDS_PER_BATCH) {
    const columns = ['record_id', 'user_id', 'status', 'values'] as const
    const answers = await rowsOf(db, 'responses', datasetNo, from).select(columns).execute()
    for (const { record_id, user_id, status, values } of answers) {
      const used = usesIn(values)
      if (used.length > 0) counts.answers += 1
      if (status === 'submitted' && isDue(values)) counts.due += 1
      if (examples.length < MAX_EXAMPLES) examples.push(...used.map((one) => ({ record_id, user_id, ...one })))
    }
    const golds = await rowsOf(db, 'gold', datasetNo, from).select('values').execute()
    counts.gold += golds.filter(({ values }) => usesIn(values).length > 0).length
    counts.suggestions += await suggestionsWith(db, datasetNo, from, planned)
  }
  return { counts, examples: examples.slice(0, MAX_EXAMPLES) }
}

/** How many saved views filter by one of the changed labels. After the change, these views still find the same answers. */
const viewsWith = async (db: Db, datasetNo: number, planned: readonly PlannedQuestion[]): Promise<number> => {
  const moved = new Map(planned.map(({ question, labels }) => [question.name, labels.moved()]))
  const views = await db.sql.selectFrom('saved_views').select('query').where('dataset_no', '=', datasetNo).execute()
  return views.filter(({ query: text }) =>
    answerValuesIn(readViewQuery(text)).some(({ question, values }) =>
      values.some((value) => moved.get(question)?.has(value) === true),
    ),
  ).length
}

type PlanArgs = {
  readonly user: Actor
  readonly dataset_id: string
  readonly changes: readonly SchemaChange[]
  readonly limits: Limits
}

/**
 * Counts the answers, suggestions, final answers, saved views and model runs that the given changes would affect. @throws Problem
 * not_found, forbidden
 */
export const planChanges = query(
  'schema-versions.plan',
  async (db, { user, dataset_id, changes, limits }: PlanArgs): Promise<SchemaPlan> => {
    const dataset = await readableDataset(db, dataset_id, user)
    if (!mayChange(user, dataset)) throw forbidden()
    const rows = await questionRows(db, dataset_id)
    const { questions, refused } = await makeChanges(db, dataset, rows, { changes, limits })
    const isRefused = refused.length > 0
    const { counts, examples } = await affectedBy(db, dataset.no, isRefused ? [] : questions)
    const affected: AffectedCounts = {
      ...counts,
      views: isRefused ? 0 : await viewsWith(db, dataset.no, questions),
      runs: isRefused
        ? 0
        : await countRunsAsking(
            db,
            dataset.no,
            questions.map(({ question }) => question.name),
          ),
    }
    const names = await usernamesOf(
      db,
      examples.map(({ user_id }) => user_id),
    )
    return {
      conditions: isRefused ? [] : planConditions(rows, questions).map(({ type: _, ...change }) => change),
      token: isRefused ? null : printToken(changes, stateOf(dataset, rows)),
      affected,
      examples: examples.map(({ user_id, ...example }) => ({
        ...example,
        user: { id: user_id, username: names.get(user_id) ?? null },
      })),
      refused: refused.map(({ change, reason }) => ({
        change,
        reason: renderMessage(reason),
        reason_parts: [...partsOf(reason)],
      })),
    }
  },
)
