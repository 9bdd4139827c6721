import { conditionFault, withCurrentChoices } from '@postil/contract/condition-rules.ts'
import { type Condition, neverShown } from '@postil/contract/conditions.ts'
import { mergeQuestionSettings, placementFault } from '@postil/contract/question-types/index.ts'
import type { Question, QuestionCreate, QuestionUpdate } from '@postil/contract/questions.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { jsonEquals } from '@postil/contract/wire/json.ts'
import { message } from '@postil/contract/wire/message.ts'
import { addSchemaVersion, type StoredChange } from '#features/datasets/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { command } from '#platform/db/operations.ts'
import { questionThatReads } from './condition-uses.ts'
import { labelSettings, settled, snapshotOf } from './label-changes.ts'
import type { QuestionRow } from './rows.ts'
import { fieldRows, metadataPropertyRows, pick, printQuestion, questionRows } from './rows.ts'
import { changesOf, lockedDataset, lockedDatasetOf, newChild, refusePublished, refuseTakenName } from './scope.ts'

type Placed = Pick<QuestionRow, 'name' | 'dataset_id'> & {
  /** The questions before it. */
  readonly earlier: readonly QuestionRow[]
  /** All stored questions of the dataset. */
  readonly questions: readonly QuestionRow[]
}

/** Checks the condition of a question. @returns the condition with current labels. @throws Problem unprocessable */
const checkedCondition = async (
  db: Db,
  condition: Condition | null,
  { name, dataset_id, earlier, questions }: Placed,
): Promise<Condition | null> => {
  if (condition === null) return null
  const others = [name, ...questions.map((question) => question.name)]
  const fault = conditionFault(name, condition, { earlier, others, properties: await metadataPropertyRows(db, dataset_id) })
  if (fault !== null) throw unprocessable(fault)
  return withCurrentChoices(condition, earlier)
}

const storedCondition = (condition: Condition | null) => condition && json(condition)

/** @throws Problem not_found, forbidden, conflict, unprocessable */
export const createQuestion = command(
  'questions.create',
  async (db, { user, dataset_id, body }: { user: Actor; dataset_id: string; body: QuestionCreate }): Promise<Question> => {
    const dataset = await lockedDataset(db, dataset_id, user)
    await refuseTakenName(db, 'questions', dataset_id, body.name)
    const { required, settings, to_published } = body
    const isPublished = dataset.status === 'ready'
    if (!to_published) refusePublished('questions', dataset, 'created')
    // If the new question were required, people couldn't submit the answers that they gave offline before the question was added.
    if (isPublished && required) throw unprocessable(message('addedQuestionRequired'))
    const questions = await questionRows(db, dataset_id)
    const misplaced = placementFault(settings, { fields: await fieldRows(db, dataset_id), questions })
    if (misplaced !== null) throw unprocessable(misplaced)
    const place = { name: body.name, dataset_id, earlier: questions, questions }
    const shown_when = await checkedCondition(db, body.shown_when ?? null, place)
    const row = { ...(await newChild(db, dataset, body)), description: body.description ?? null, required }
    await db.sql
      .insertInto('questions')
      .values({ ...row, settings: json(settings), shown_when: storedCondition(shown_when) })
      .execute()
    if (isPublished) {
      const of = { question_id: row.id }
      // Stored as a change from `neverShown` to the actual condition. If the version is reverted, `neverShown` applies, which
      // retires the question.
      const shown = { type: 'edit_condition', ...of, before: neverShown, after: shown_when } as const
      const changes: StoredChange[] = [{ type: 'add_question', ...of }, shown]
      await addSchemaVersion(db, dataset.no, { user_id: user.id, note: null, changes, snapshot: [] })
    }
    return printQuestion({ ...row, settings, shown_when })
  },
)

/** @throws Problem unprocessable */
const mergedSettings = (row: QuestionRow, update: QuestionUpdate['settings']) => {
  if (update === undefined) return row.settings
  const merged = mergeQuestionSettings(row.settings, update)
  if (typeof merged === 'string') throw unprocessable(merged)
  return merged
}

type Edit = { readonly user: Actor; readonly row: QuestionRow } & Pick<QuestionRow, 'description' | 'settings' | 'shown_when'>

/** Adds a schema version if the description, the condition, the labels' texts or the labels' order has changed. */
const recordEdit = async (db: Db, datasetNo: number, { user, row, description, settings, shown_when }: Edit): Promise<void> => {
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
  if (!jsonEquals(row.shown_when, shown_when))
    changes.push({ type: 'edit_condition', ...of, before: row.shown_when, after: shown_when })
  if (changes.length === 0) return
  await addSchemaVersion(db, datasetNo, { user_id: user.id, note: null, changes, snapshot: labels })
}

/** @throws Problem not_found, forbidden, unprocessable */
export const updateQuestion = command(
  'questions.update',
  async (db, { user, id, body }: { user: Actor; id: string; body: QuestionUpdate }): Promise<Question> => {
    const dataset = await lockedDatasetOf(db, 'questions', id, user)
    const questions = await questionRows(db, dataset.id)
    const row = pick(questions, id)
    const { shown_when: sent } = body
    const place = { ...row, earlier: questions.filter(({ no }) => no < row.no), questions }
    const condition = sent === undefined ? row.shown_when : await checkedCondition(db, sent, place)
    const changes = changesOf(row, { ...body, settings: mergedSettings(row, body.settings), shown_when: condition })
    if (changes === null) return printQuestion(row)
    const { title, description, settings, shown_when, updated_at } = { ...row, ...changes }
    await db.sql
      .updateTable('questions')
      .set({ title, description, settings: json(settings), shown_when: storedCondition(shown_when), updated_at })
      .where('id', '=', id)
      .execute()
    if (dataset.status === 'ready') await recordEdit(db, dataset.no, { user, row, description, settings, shown_when })
    return printQuestion({ ...row, title, description, settings, shown_when, updated_at })
  },
)

/** @returns the question before its deletion. @throws Problem not_found, forbidden, unprocessable */
export const deleteQuestion = command(
  'questions.delete',
  async (db, { user, id }: { user: Actor; id: string }): Promise<Question> => {
    const dataset = await lockedDatasetOf(db, 'questions', id, user)
    refusePublished('questions', dataset, 'deleted')
    const questions = await questionRows(db, dataset.id)
    const row = pick(questions, id)
    const other = questionThatReads(questions, (rule) => 'question' in rule && rule.question === row.name)
    if (other !== undefined) throw unprocessable(message('questionInCondition', { name: row.name, other: other.name }))
    await db.sql.deleteFrom('questions').where('id', '=', id).execute()
    return printQuestion(row)
  },
)
