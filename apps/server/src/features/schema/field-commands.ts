import { fieldKindOf, mergeFieldSettings, withFieldView } from '@postil/contract/field-types/index.ts'
import type { Field, FieldCreate, FieldUpdate } from '@postil/contract/fields.ts'
import { placementFault } from '@postil/contract/question-types/index.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { beginTextRebuild } from '#features/jobs/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { command } from '#platform/db/operations.ts'
import { type FieldRow, fieldRows, pick, printField, questionRows } from './rows.ts'
import { changesOf, lockedDataset, lockedDatasetOf, newChild, refusePublished, refuseTakenName } from './scope.ts'

/** @throws Problem not_found, forbidden, unprocessable, conflict */
export const createField = command(
  'fields.create',
  async (db, { user, dataset_id, body }: { user: Actor; dataset_id: string; body: FieldCreate }): Promise<Field> => {
    const dataset = await lockedDataset(db, dataset_id, user)
    refusePublished('fields', dataset, 'created')
    await refuseTakenName(db, 'fields', dataset_id, body.name)
    const { required, settings } = body
    const row = { ...(await newChild(db, dataset, body)), required }
    await db.sql
      .insertInto('fields')
      .values({ ...row, settings: json(settings) })
      .execute()
    return printField({ ...row, settings })
  },
)

/** Refuses to change the kind of a field if a question needs the current kind. @throws Problem unprocessable */
const refuseMisplaced = async (db: Db, datasetId: string, fields: readonly FieldRow[]): Promise<void> => {
  const questions = await questionRows(db, datasetId)
  for (const [no, { settings }] of questions.entries()) {
    const misplaced = placementFault(settings, { fields, questions: questions.slice(0, no) })
    if (misplaced !== null) throw unprocessable(misplaced)
  }
}

/** @throws Problem not_found, forbidden, unprocessable */
export const updateField = command(
  'fields.update',
  async (db, { user, id, body }: { user: Actor; id: string; body: FieldUpdate }): Promise<Field> => {
    const dataset = await lockedDatasetOf(db, 'fields', id, user)
    const rows = await fieldRows(db, dataset.id)
    const row = pick(rows, id)
    const viewed = body.view === undefined ? row.settings : withFieldView(row.settings, body.view)
    if (typeof viewed === 'string') throw unprocessable(viewed)
    const merged = body.settings === undefined ? viewed : mergeFieldSettings(viewed, body.settings)
    if (typeof merged === 'string') throw unprocessable(merged)
    const changes = changesOf(row, { title: body.title, settings: merged })
    if (changes === null) return printField(row)
    if (fieldKindOf(merged) !== fieldKindOf(row.settings)) {
      await refuseMisplaced(
        db,
        dataset.id,
        rows.map((one) => (one === row ? { ...row, settings: merged } : one)),
      )
      // The type determines which parts of the values are searchable.
      await beginTextRebuild(db, dataset.no)
    }
    const { title = row.title, settings, updated_at } = { ...row, ...changes }
    await db.sql
      .updateTable('fields')
      .set({ title, settings: json(settings), updated_at })
      .where('id', '=', id)
      .execute()
    return printField({ ...row, title, settings, updated_at })
  },
)

/** @returns the field before its deletion. @throws Problem not_found, forbidden, unprocessable */
export const deleteField = command('fields.delete', async (db, { user, id }: { user: Actor; id: string }): Promise<Field> => {
  const dataset = await lockedDatasetOf(db, 'fields', id, user)
  refusePublished('fields', dataset, 'deleted')
  const row = pick(await fieldRows(db, dataset.id), id)
  await db.sql.deleteFrom('fields').where('id', '=', id).execute()
  return printField(row)
})
