import { mergeQuestionSettings, placementFault } from '@postil/contract/question-types/index.ts'
import type { Question, QuestionCreate, QuestionUpdate } from '@postil/contract/questions.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { json } from '#platform/db/codecs.ts'
import { command } from '#platform/db/operations.ts'
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
