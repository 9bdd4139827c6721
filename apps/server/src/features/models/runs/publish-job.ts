import type { FieldValues } from '@postil/contract/field-values.ts'
import type { PublishCounts } from '@postil/contract/jobs.ts'
import type { SuggestionCreate } from '@postil/contract/suggestions.ts'
import { type JsonValue, jsonEquals } from '@postil/contract/wire/json.ts'
import { message } from '@postil/contract/wire/message.ts'
import {
  currentSuggestion,
  datasetScopeAt,
  loadSchema,
  lockRecords,
  prepareSuggestion,
  removeSuggestions,
  type Schema,
  type ScopeDataset,
  type SuggestionRow,
  storeSuggestion,
  suggestionFault,
  suggestionsOfRecord,
} from '#features/records/public.ts'
import type { QuestionRow } from '#features/schema/public.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { jobKind } from '#platform/jobs/kinds.ts'
import { starterOf } from '#platform/jobs/starter.ts'
import { now } from '#platform/time.ts'
import { modelPolicy } from '../policy.ts'
import { agentOf, type RunRow, selectRuns } from './rows.ts'
import type { StoredResults } from './setup.ts'

/** Maximum number of records per step. Small, so that other writers aren't delayed. */
const PART = 25

export type PublishArgs = {
  readonly run: string
  readonly undo: boolean
  /** The `seq` of the last record that is done. */
  readonly after: number
  readonly published: PublishCounts
}
export const noneYet: PublishCounts = { stored: 0, unchanged: 0, changed: 0, invalid: 0, gone: 0 }

type Content = Omit<SuggestionCreate, 'question_id'>
/** The suggestions that existed before a run was published, by question name. Null if a question had none. */
type Earlier = { readonly [question: string]: Content | null }
type Outcome = keyof PublishCounts
type Item = { readonly seq: number; readonly results: StoredResults; readonly earlier: Earlier | null }
type Place = { readonly dataset: ScopeDataset; readonly schema: Schema; readonly run: RunRow }

const contentOf = ({ type, value_json, agent, score_json }: SuggestionRow): Content => ({
  type,
  agent,
  value: JSON.parse(value_json) as SuggestionCreate['value'],
  score: score_json === null ? null : (JSON.parse(score_json) as NonNullable<SuggestionCreate['score']>),
})
const isSame = (a: Content, b: Content): boolean => jsonEquals(a as unknown as JsonValue, b as unknown as JsonValue)

/** Updates the labels of a suggestion. Labels may have been renamed or merged since the suggestion was stored. */
const currentContent = (content: Content, question: QuestionRow): Content => {
  const prepared = prepareSuggestion({ question_id: question.id, ...content })
  const { type, agent, value, score } = currentSuggestion(prepared, question)
  return { type, agent, value, score }
}

/** The suggestion of a run for a question. */
const ownContent = (run: RunRow, { value, score }: StoredResults[string], question: QuestionRow): Content =>
  currentContent({ type: 'model', agent: agentOf(run), value, score }, question)

const setEarlier = (db: Db, { dataset }: Place, run_id: string, seq: number, earlier: Earlier | null) =>
  db.sql
    .updateTable('run_items')
    .set({ earlier: earlier === null ? null : json(earlier) })
    .where('dataset_no', '=', dataset.no)
    .where('run_id', '=', run_id)
    .where('seq', '=', seq)
    .execute()

/**
 * Keeps other runs from restoring this run's suggestions. If another run has replaced suggestions of this run, undoing the other
 * run would restore them. This function makes the other run restore the suggestions from before this run instead. It is called
 * when this run is undone or published again.
 */
const leaveOthers = async (db: Db, place: Place, item: Item): Promise<void> => {
  const { dataset, schema, run } = place
  const { seq, results, earlier: own } = item
  if (own === null) return
  const others = await db.sql
    .selectFrom('run_items')
    .select(['run_id', 'earlier'])
    .where('dataset_no', '=', dataset.no)
    .where('seq', '=', seq)
    .where('run_id', '!=', run.id)
    .where('earlier', 'is not', null)
    .execute()
  for (const { run_id, earlier } of others) {
    const passedOn = Object.entries(earlier as Earlier).flatMap(([name, content]): [string, Content | null][] => {
      const question = schema.questions.find((one) => one.name === name)
      const result = results[name]
      const before = own[name]
      if (question === undefined || result === undefined || content === null || before === undefined) return []
      return isSame(currentContent(content, question), ownContent(run, result, question)) ? [[name, before]] : []
    })
    if (passedOn.length > 0)
      await setEarlier(db, place, run_id, seq, { ...(earlier as Earlier), ...Object.fromEntries(passedOn) })
  }
}

/** Returns those questions of an item that still exist, with their current suggestions. */
const questionsOf = async (db: Db, { dataset, schema }: Place, { seq, results }: Item) => {
  const rows = await suggestionsOfRecord(db, dataset.no, seq)
  return schema.questions.flatMap((question) => {
    const result = results[question.name]
    return result === undefined
      ? []
      : [{ question, result, row: rows.find(({ question_no }) => question_no === question.no) ?? null }]
  })
}

const publishItem = async (db: Db, place: Place, item: Item, fields: FieldValues): Promise<Outcome> => {
  const { dataset, schema, run } = place
  // All questions were hidden for this record.
  if (Object.keys(item.results).length === 0) return 'unchanged'
  const asked = await questionsOf(db, place, item)
  const wanted = asked.map(({ question, result, row }) => {
    const content = ownContent(run, result, question)
    return { question, row, content, sent: prepareSuggestion({ question_id: question.id, ...content }) }
  })
  if (wanted.length === 0 || wanted.some(({ sent }) => suggestionFault(sent, schema, fields) !== null)) return 'invalid'
  const changed = wanted.filter(({ row, content }) => row === null || !isSame(contentOf(row), content))
  if (changed.length === 0) return 'unchanged'
  const earlier = changed.map(({ question, row }): [string, Content | null] => [question.name, row && contentOf(row)])
  for (const { question, sent } of changed)
    await storeSuggestion(db, { dataset, schema, seq: item.seq }, { question_no: question.no, sent })
  await leaveOthers(db, place, item)
  await setEarlier(db, place, run.id, item.seq, { ...item.earlier, ...Object.fromEntries(earlier) })
  return 'stored'
}

const undoItem = async (db: Db, place: Place, item: Item): Promise<Outcome> => {
  const { dataset, schema, run } = place
  let [restored, kept] = [0, 0]
  for (const { question, result, row } of await questionsOf(db, place, item)) {
    const before = item.earlier?.[question.name]
    if (before === undefined) continue
    if (row === null || !isSame(contentOf(row), ownContent(run, result, question))) {
      kept += 1
      continue
    }
    restored += 1
    if (before === null) await removeSuggestions(db, dataset, [row])
    else {
      const sent = prepareSuggestion({ question_id: question.id, ...before })
      await storeSuggestion(db, { dataset, schema, seq: item.seq }, { question_no: question.no, sent })
    }
  }
  await leaveOthers(db, place, item)
  await setEarlier(db, place, run.id, item.seq, null)
  if (restored > 0) return 'stored'
  return kept > 0 ? 'changed' : 'unchanged'
}

const nextItems = async (db: Db, run: RunRow, { after, undo }: PublishArgs): Promise<readonly Item[]> => {
  const all = db.sql
    .selectFrom('run_items')
    .select(['seq', 'results', 'earlier'])
    .where('dataset_no', '=', run.dataset_no)
    .where('run_id', '=', run.id)
    .where('seq', '>', after)
    .where('results', 'is not', null)
  const rows = await (undo ? all.where('earlier', 'is not', null) : all).orderBy('seq').limit(PART).execute()
  return rows as unknown as readonly Item[]
}

/** Turns a run's answers into suggestions, or restores the earlier suggestions. */
export const publishJob = jobKind('models.publish', async (db, job) => {
  // The cast is safe, because only this feature's commands and this job write the arguments.
  const args = job.args as unknown as PublishArgs
  const run = (await selectRuns(db).where('id', '=', args.run).executeTakeFirst()) as RunRow | undefined
  if (run === undefined) return { finished: true }
  const user = await starterOf(db, job.user_id)
  if (user === null) return { finished: false, failed: message('assignerGone') }
  const dataset = await datasetScopeAt(db, run.dataset_no, user, { hold: true })
  if (dataset === null) return { finished: false, failed: message('datasetGone') }
  if (!modelPolicy.run(user, dataset)) return { finished: false, failed: message('modelForbidden') }
  const items = await nextItems(db, run, args)
  const place: Place = { dataset, schema: await loadSchema(db, dataset.id), run }
  const records = await lockRecords(
    db,
    dataset.no,
    items.map(({ seq }) => seq),
  )
  const fieldsBySeq = new Map(records.map(({ seq, fields_json }) => [seq, JSON.parse(fields_json) as FieldValues]))
  const published = { ...args.published }
  for (const item of items) {
    const fields = fieldsBySeq.get(item.seq)
    const work = fields === undefined ? 'gone' : args.undo ? undoItem(db, place, item) : publishItem(db, place, item, fields)
    published[await work] += 1
  }
  const last = items.at(-1)
  const finished = items.length < PART
  if (finished) {
    const at = now()
    await db.sql
      .updateTable('model_runs')
      .set({ published_at: args.undo ? null : at, updated_at: at })
      .where('id', '=', run.id)
      .execute()
  }
  return { finished, done: job.done + items.length, args: { ...args, after: last?.seq ?? args.after, published } }
})
