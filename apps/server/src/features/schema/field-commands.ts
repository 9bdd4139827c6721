import { mergeFieldSettings } from '@postil/contract/field-types/index.ts'
import type { Field, FieldCreate, FieldUpdate } from '@postil/contract/fields.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { json } from '#platform/db/codecs.ts'
import { command } from '#platform/db/operations.ts'
import { fieldRows, pick, printField } from './rows.ts'
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

/** @throws Problem not_found, forbidden, unprocessable */
export const updateField = command(
  'fields.update',
  async (db, { user, id, body }: { user: Actor; id: string; body: FieldUpdate }): Promise<Field> => {
    const dataset = await lockedDatasetOf(db, 'fields', id, user)
    const row = pick(await fieldRows(db, dataset.id), id)
    const merged = body.settings === undefined ? row.settings : mergeFieldSettings(row.settings, body.settings)
    if (typeof merged === 'string') throw unprocessable(merged)
    const changes = changesOf(row, { ...body, settings: merged })
    if (changes === null) return printField(row)
    const { title, settings, updated_at } = { ...row, ...changes }
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
