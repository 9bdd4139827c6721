import type { ImportFormat } from '@postil/contract/files/import-formats.ts'
import { forbidden, notFound } from '@postil/contract/wire/errors.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { command, query } from '#platform/db/operations.ts'
import type { Micros } from '#platform/time.ts'
import type { Layout } from '../inspect/layout.ts'
import { importPolicy } from '../policy.ts'
import { NO_DATASET, startedBefore, targetOf } from '../queries.ts'
import { type Names, namesOf, noNames } from '../rows/mapping.ts'

type UploadKey = { readonly user: Actor; readonly file_id: string }
export type UploadRow = {
  readonly id: string
  readonly name: string
  readonly size: number
  readonly layout: Layout
  /** The format of an incomplete file; null once the file is complete. */
  readonly arriving: ImportFormat | null
  readonly inserted_at: Micros
  /** Null for a dataset that doesn't exist yet. */
  readonly dataset_id: string | null
}

/** A file that the caller is uploading or has uploaded. @throws Problem not_found, forbidden */
const uploadOf = async (db: Db, { user, file_id }: UploadKey): Promise<UploadRow> => {
  const row = await db.sql
    .selectFrom('imports')
    .select(['id', 'name', 'size', 'layout', 'arriving', 'inserted_at', 'dataset_no', 'job_id', 'user_id'])
    .where('id', '=', file_id)
    .executeTakeFirst()
  if (row === undefined) throw notFound('File', file_id)
  if (!importPolicy.checkMine(user, row.user_id)) throw forbidden()
  if (row.job_id !== null) throw startedBefore(row.job_id)
  const { id, name, size, layout, arriving, inserted_at, dataset_no } = row
  const dataset =
    dataset_no === NO_DATASET
      ? null
      : await db.sql
          .selectFrom('datasets')
          .select('id')
          .where('no', '=', dataset_no)
          .where('gone_at', 'is', null)
          .executeTakeFirst()
  if (dataset === undefined) throw notFound('File', file_id)
  return {
    ...{ id, name, size, inserted_at, dataset_id: dataset?.id ?? null },
    // Written by `uploads.begin` and `openLayout`.
    layout: layout as unknown as Layout,
    arriving: arriving as ImportFormat | null,
  }
}

export const findUpload = query('uploads.find', (db, key: UploadKey): Promise<UploadRow> => uploadOf(db, key))

/**
 * Returns an uploaded file, and the names of the parts of its dataset, such as fields and questions. The file's columns may refer
 * to these names. @throws Problem not_found, forbidden
 */
export const uploadWithNames = query(
  'uploads.with-names',
  async (db, key: UploadKey): Promise<{ upload: UploadRow; names: Names }> => {
    const upload = await uploadOf(db, key)
    const { dataset_id } = upload
    const names = dataset_id === null ? noNames : namesOf((await targetOf(db, { user: key.user, dataset_id })).schema)
    return { upload, names }
  },
)

/** Marks a file as complete and stores how to read it. @throws Problem not_found, forbidden */
export const finishUpload = command(
  'uploads.finish',
  async (db, { layout, ...key }: UploadKey & { readonly layout: Layout }): Promise<void> => {
    const { id, dataset_id } = await uploadOf(db, key)
    if (dataset_id !== null) await targetOf(db, { user: key.user, dataset_id }, true)
    await db.sql
      .updateTable('imports')
      .set({ layout: json(layout), arriving: null })
      .where('id', '=', id)
      .where('arriving', 'is not', null)
      .execute()
  },
)

/** Deletes the row of an incomplete file. @returns whether the row existed */
export const forgetUpload = command('uploads.forget', async (db, { id }: { readonly id: string }): Promise<boolean> => {
  const deleted = await db.sql.deleteFrom('imports').where('id', '=', id).where('arriving', 'is not', null).executeTakeFirst()
  return deleted.numDeletedRows > 0n
})
