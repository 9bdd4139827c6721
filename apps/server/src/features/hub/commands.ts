import type { Mapping } from '@postil/contract/jobs.ts'
import { forbidden, unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { datasetFor, mayChange } from '#features/datasets/public.ts'
import { noCounts, targetOf } from '#features/imports/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { json } from '#platform/db/codecs.ts'
import { command } from '#platform/db/operations.ts'
import { newId } from '#platform/ids.ts'
import { enqueueJob } from '#platform/jobs/kinds.ts'
import { now } from '#platform/time.ts'
import { type ExportArgs, exportToHub } from './export/export-job.ts'
import type { ImportArgs } from './import/import-args.ts'
import { importFromHub } from './import/import-job.ts'
import type { HubSource } from './import/source.ts'
import type { HubTarget } from './layout.ts'
import { hubPolicy } from './policy.ts'

type StartImportArgs = {
  readonly user: Actor
  readonly dataset_id: string
  readonly source: HubSource
  readonly mapping: Mapping
  readonly sealed: string | null
}

type StartExportArgs = {
  readonly user: Actor
  readonly dataset_id: string
  readonly target: HubTarget
  readonly sealed: string
}

/** @returns the job's ID. @throws Problem not_found, forbidden, unprocessable for a dataset without records */
export const startExport = command('hub.start-export', async (db, args: StartExportArgs): Promise<string> => {
  const { user, dataset_id, target, sealed } = args
  const dataset = await datasetFor(db, dataset_id, user)
  if (!mayChange(user, dataset)) throw forbidden()
  const first = await db.sql.selectFrom('records').select('seq').where('dataset_no', '=', dataset.no).limit(1).executeTakeFirst()
  if (first === undefined) throw unprocessable(message('nothingToExport', { dataset: dataset_id }))
  const known: ExportArgs = { dataset_id, target }
  return enqueueJob(db, exportToHub, { dataset_no: dataset.no, user_id: user.id, args: known, sealed })
})

/** An import's name in the dataset's list of imports. */
const nameOf = ({ name, subset, split }: HubSource): string => [...`${name} (${subset}, ${split})`].slice(0, 200).join('')

/**
 * Starts an import from the Hub. The job checks what exists on the Hub. @returns the job's ID. @throws Problem not_found,
 * forbidden
 */
export const startImport = command('hub.start-import', async (db, args: StartImportArgs): Promise<string> => {
  const { user, dataset_id, source, mapping, sealed } = args
  const { no } = await targetOf(db, { user, dataset_id })
  if (!hubPolicy.use(user)) throw forbidden()
  const import_id = newId()
  const known: ImportArgs = { import_id, dataset_id, mapping, source, next: 0, marks: null, import: noCounts }
  const job_id = await enqueueJob(db, importFromHub, { dataset_no: no, user_id: user.id, args: known, sealed })
  const row = { id: import_id, dataset_no: no, user_id: user.id, name: nameOf(source), layout: json({ hub: source }), size: 0 }
  await db.sql
    .insertInto('imports')
    .values({ ...row, job_id, inserted_at: now() })
    .execute()
  return job_id
})
