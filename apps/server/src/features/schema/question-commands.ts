import { mergeQuestionSettings, placementFault } from '@postil/contract/question-types/index.ts'
import type { Question, QuestionCreate, QuestionUpdate } from '@postil/contract/questions.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { jsonEquals } from '@postil/contract/wire/json.ts'
import { addSchemaVersion, type StoredChange } from '#features/datasets/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { command } from '#platform/db/operations.ts'
import { labelSettings, settled, snapshotOf } from './label-changes.ts'
import type { QuestionRow } from './rows.ts'
import { fieldRows, pick, printQuestion, questionRows } from './rows.ts'
import { changesOf, lockedDataset, lockedDatasetOf, newChild, refusePublished, refuseTakenName } from './scope.ts'

/** @throws Problem not_found, forbidden, conflict, unprocessable */
export const createQuestion = command(
  'questions.create',
  async (db, { user, dataset_id, body }: { user: Actor; dataset_id: string; body: QuestionCreate }): Promise<Question> => {
    const dataset = await lockedDataset(db, dataset_id, user)
    await refuseTakenName(db, 'questions', dataset_id, body.name)
    refusePublished('questions', dataset, 'created')
    const { required, settings } = body
    const misplaced = placementFault(settings, {
      fields: await fieldRows(db, dataset_id),
      questions: await questionRows(db, dataset_id),
    })
    if (misplaced !== null) throw unprocessable(misplaced)
    const row = { ...(await newChild(db, dataset, body)), description: body.description ?? null, required }
    await db.sql
      .insertInto('questions')
      .values({ ...row, settings: json(settings) })
      .execute()
    return printQuestion({ ...row, settings })
  },
)

/** @throws Problem unprocessable */
const mergedSettings = (row: QuestionRow, update: QuestionUpdate['settings']) => {
  if (update === undefined) return row.settings
  const merged = mergeQuestionSettings(row.settings, update)
  if (typeof merged === 'string') throw unprocessable(merged)
  return merged
}

type Edit = { readonly user: Actor; readonly row: QuestionRow } & Pick<QuestionRow, 'description' | 'settings'>

/** Adds a version if the description, or the texts or the order of labels have changed. */
const recordEdit = async (db: Db, datasetNo: number, { user, row, description, settings }: Edit): Promise<void> => {
  const [before, after] = [row.settings, settings].map((one) => {
    const labels = labelSettings(one)
    return labels && snapshotOf(settled(labels))
  })
  const of = { question_id: row.id }
  const changes: StoredChange[] = []
  if (description !== row.description)
    changes.push({ type: 'edit_description', ...of, before: row.description, after: description })
  const labels = before == null || after == null || jsonEquals(before, after) ? [] : [{ ...of, before, after, renamed: {} }]
  if (labels.length > 0) changes.push({ type: 'edit_options', ...of })
  if (changes.length === 0) return
  await addSchemaVersion(db, datasetNo, { user_id: user.id, note: null, changes, snapshot: labels })
}

/** @throws Problem not_found, forbidden, unprocessable */
export const updateQuestion = command(
  'questions.update',
  async (db, { user, id, body }: { user: Actor; id: string; body: QuestionUpdate }): Promise<Question> => {
    const dataset = await lockedDatasetOf(db, 'questions', id, user)
    const row = pick(await questionRows(db, dataset.id), id)
    const changes = changesOf(row, { ...body, settings: mergedSettings(row, body.settings) })
    if (changes === null) return printQuestion(row)
    const { title, description, settings, updated_at } = { ...row, ...changes }
    await db.sql
      .updateTable('questions')
      .set({ title, description, settings: json(settings), updated_at })
      .where('id', '=', id)
      .execute()
    if (dataset.status === 'ready') await recordEdit(db, dataset.no, { user, row, description, settings })
    return printQuestion({ ...row, title, description, settings, updated_at })
  },
)

/** @returns the question before its deletion. @throws Problem not_found, forbidden, unprocessable */
export const deleteQuestion = command(
  'questions.delete',
  async (db, { user, id }: { user: Actor; id: string }): Promise<Question> => {
    const dataset = await lockedDatasetOf(db, 'questions', id, user)
    refusePublished('questions', dataset, 'deleted')
    const row = pick(await questionRows(db, dataset.id), id)
    await db.sql.deleteFrom('questions').where('id', '=', id).execute()
    return printQuestion(row)
  },
)
