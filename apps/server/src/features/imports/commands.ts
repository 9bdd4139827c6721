import { type ImportFormat, isTextFormat } from '@postil/contract/files/import-formats.ts'
import type { FileMapping } from '@postil/contract/files/imports.ts'
import { forbidden, notFound, tooMany, unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { enqueueSweep } from '#features/jobs/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { json } from '#platform/db/codecs.ts'
import { command } from '#platform/db/operations.ts'
import { enqueueJob } from '#platform/jobs/kinds.ts'
import { UNFINISHED } from '#platform/jobs/states.ts'
import { type Micros, now } from '#platform/time.ts'
import { checkAnsweringUsers } from './answering-users.ts'
import { headerOf, type Layout } from './inspect/layout.ts'
import { importPolicy } from './policy.ts'
import { fileFor, importRows, NO_DATASET, nameIn, startedBefore, targetOf } from './queries.ts'
import { checkMapping, namesOf } from './rows/mapping.ts'
import { importFile } from './store/job.ts'
import { type BatchArgs, storeBatch } from './store/store-batch.ts'
import { noCounts } from './store/store-imported.ts'

type ImportKey = { readonly user: Actor; readonly dataset_id: string }

/** `dataset_id` is null for a dataset that doesn't exist yet. */
type ImportOwner = { readonly user: Actor; readonly dataset_id: string | null }
type NewImport = {
  readonly id: string
  readonly name: string
  /** The layout of a complete file, or the format of an incomplete one. */
  readonly found: { readonly layout: Layout } | { readonly arriving: ImportFormat }
  readonly size: number
}

/** Maximum number of files per user that haven't been imported yet. They take up shared disk space for a day. */
const MAX_WAITING = 100

/** @returns the time that was stored with the import, `inserted_at`. @throws Problem not_found, forbidden, too_many */
export const createImport = command('imports.create', async (db, args: ImportOwner & NewImport): Promise<Micros> => {
  const { id, name, found, size, dataset_id, user } = args
  if (dataset_id === null && !importPolicy.uploadMine(user)) throw forbidden()
  const dataset_no = dataset_id === null ? NO_DATASET : (await targetOf(db, { user, dataset_id })).no
  const { n } = await db.sql
    .selectFrom('imports')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('user_id', '=', user.id)
    .where('job_id', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(n) >= MAX_WAITING)
    throw tooMany(`You have ${MAX_WAITING} uploaded files that are not imported yet. Import some of them first`, 60)
  const at = now()
  const isComplete = 'layout' in found
  const row = { id, dataset_no, user_id: user.id, name, size, job_id: null, inserted_at: at }
  await db.sql
    .insertInto('imports')
    .values({ ...row, layout: json(isComplete ? found.layout : {}), arriving: isComplete ? null : found.arriving })
    .execute()
  return at
})

/** Changes how a file is read. Allowed only until its import starts. @throws Problem not_found, unprocessable */
export const changeLayout = command(
  'imports.change-layout',
  async (db, { id, layout }: { readonly id: string; readonly layout: Layout }): Promise<void> => {
    const file = await db.dialect.forUpdate(importRows(db).where('id', '=', id)).executeTakeFirst()
    if (file === undefined) throw notFound('File', id)
    if (file.job_id !== null) throw startedBefore(file.job_id)
    await db.sql
      .updateTable('imports')
      .set({ layout: json(layout) })
      .where('id', '=', id)
      .execute()
  },
)

const mayStoreImages = ({ format }: Layout): boolean => !isTextFormat(format) && format !== 'xlsx'

/** Schedules the removal of images that an import without a job may leave unreferenced. @throws Problem not_found, forbidden */
export const expectImages = command(
  'imports.expect-images',
  async (db, { layout, ...key }: ImportKey & { readonly layout: Layout }): Promise<void> => {
    if (mayStoreImages(layout)) await enqueueSweep(db, { no: (await targetOf(db, key, true)).no, id: key.dataset_id })
  },
)

type Start = ImportKey & { readonly file_id: string; readonly mapping: FileMapping; readonly base: string }

/** @returns the job's ID. @throws Problem not_found, forbidden, unprocessable */
export const startImport = command('imports.start', async (db, { file_id, mapping, base, ...key }: Start): Promise<string> => {
  // Two concurrent imports must not use the same base name for rows without an ID
  await db.dialect.acquireLock(db.sql, `imports ${key.dataset_id}`)
  const target = await targetOf(db, key, true)
  const file = await db.dialect.forUpdate(fileFor(db, target.no, { user: key.user, file_id })).executeTakeFirst()
  if (file === undefined) throw notFound('File', file_id)
  if (file.job_id !== null) throw startedBefore(file.job_id)
  if (!target.isReady) throw unprocessable(message('notPublished'))
  const layout = file.layout as unknown as Layout
  checkMapping(mapping, headerOf(layout), namesOf(target.schema), target.allowExtra)
  await checkAnsweringUsers(db, target.no, mapping)
  const job_id = await enqueueJob(db, importFile, {
    dataset_no: target.no,
    user_id: key.user.id,
    args: {
      import_id: file_id,
      dataset_id: key.dataset_id,
      mapping,
      base,
      named: await nameIn(db, target.no, file.name),
      position: layout.first,
      import: noCounts,
    },
    total: file.size,
  })
  // An import that is canceled or killed, or that rejects rows, may leave images that no record refers to
  if (mayStoreImages(layout)) await enqueueSweep(db, { no: target.no, id: key.dataset_id })
  await db.sql.updateTable('imports').set({ job_id, dataset_no: target.no }).where('id', '=', file_id).execute()
  return job_id
})

/** Stores one batch of a file that is imported without a job. @throws Problem not_found, forbidden, unprocessable */
export const writeBatch = command('imports.write-batch', (db, args: BatchArgs) => storeBatch(db, args))

/** Deletes uploaded files and reports older than `before`, unless their import is running or ended after `before`. */
export const forgetImports = command('imports.forget', async (db, { before }: { readonly before: Micros }): Promise<void> => {
  const old = await db.sql
    .selectFrom('imports')
    .leftJoin('jobs', 'jobs.id', 'imports.job_id')
    .select('imports.id')
    .where('imports.inserted_at', '<', before)
    .where((eb) =>
      eb.or([eb('jobs.id', 'is', null), eb.and([eb('jobs.updated_at', '<', before), eb('jobs.state', 'not in', UNFINISHED)])]),
    )
    .limit(500)
    .execute()
  const ids = old.map(({ id }) => id)
  if (ids.length === 0) return
  await db.sql.deleteFrom('import_faults').where('import_id', 'in', ids).execute()
  await db.sql.deleteFrom('imports').where('id', 'in', ids).execute()
})
