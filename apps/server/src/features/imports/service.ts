import { unprocessable } from '@postil/contract/errors.ts'
import { checkedRows, type ImportFile, type RowFault } from '@postil/contract/imports.ts'
import type { Job, Mapping } from '@postil/contract/jobs.ts'
import { getJob } from '#features/jobs/service.ts'
import type { Actor } from '#features/records/service.ts'
import { limitsOf } from '#platform/config/limits.ts'
import type { Config } from '#platform/config/read-config.ts'
import type { Store } from '#platform/db/store.ts'
import { newId } from '#platform/ids.ts'
import { now, printTime } from '#platform/time.ts'
import * as commands from './commands.ts'
import { formatOf } from './formats.ts'
import { inspectFile } from './inspect-file.ts'
import { checkMapping, namesOf, proposeMapping } from './mapping.ts'
import { type PreparedBatch, prepareBatch } from './prepare-batch.ts'
import * as queries from './queries.ts'
import { checkedText } from './reading/utf8.ts'
import { stemOf } from './stem.ts'
import { judgeBatch } from './store-batch.ts'
import { keepUpload, removeUpload, uploadPath, uploadsBefore } from './uploads.ts'

type Ctx = { readonly store: Store; readonly config: Config }
type Which = { readonly dataset_id: string; readonly file_id: string }
const actorOf = ({ id, role }: Actor): Actor => ({ id, role })

const KEPT_US = 86_400_000_000

/** Removes what was uploaded more than a day ago and is not being imported, and reports of imports that ended as long ago. */
export const sweepUploads = async ({ store, config }: Ctx): Promise<void> => {
  const before = now() - KEPT_US
  await store.write(commands.forgetImports, { before })
  const old = await uploadsBefore(config, before / 1000)
  const known = new Set(await store.read(queries.knownImports, { ids: old }))
  for (const id of old) if (!known.has(id)) await removeUpload(config, id)
}

export type Upload = {
  readonly name: string
  readonly format?: string | undefined
  /** The content type that it was sent with. */
  readonly type?: string | undefined
  readonly chunks: AsyncIterable<Uint8Array>
}

/**
 * Keeps a file as it arrives and looks into it.
 * @throws Problem not_found, forbidden before anything is read; unprocessable, too_large
 */
export const uploadFile = async (ctx: Ctx, user: Actor, dataset_id: string, upload: Upload): Promise<ImportFile> => {
  const which = { user: actorOf(user), dataset_id }
  const target = await ctx.store.read(queries.importTarget, which)
  const format = formatOf(upload)
  await sweepUploads(ctx)
  const id = newId()
  const size = await keepUpload(ctx.config, id, checkedText(upload.chunks))
  try {
    const { layout, columns } = await inspectFile(uploadPath(ctx.config, id), format)
    const { name } = upload
    const at = await ctx.store.write(commands.createImport, { ...which, id, name, layout, size })
    const times = { inserted_at: printTime(at), expires_at: printTime(at + KEPT_US) }
    const mapping = proposeMapping(columns, namesOf(target.schema))
    return {
      id,
      dataset_id,
      name,
      format,
      size,
      columns: [...columns],
      mapping: {
        fields: [...mapping.fields],
        metadata: [...mapping.metadata],
        suggestions: [...mapping.suggestions],
        external_id: mapping.external_id,
      },
      ...times,
    }
  } catch (error) {
    await removeUpload(ctx.config, id)
    throw error
  }
}

/** Rows that cannot be read and rows that break a rule, in the order of the file. */
const faultsOf = (batch: PreparedBatch, refused: readonly RowFault[]): RowFault[] =>
  [...batch.faults, ...refused].sort((a, b) => a.row - b.row)

/** What is wrong with the first rows of a file; writes nothing. @throws Problem not_found, forbidden, unprocessable */
export const checkFile = async (
  ctx: Ctx,
  user: Actor,
  { dataset_id, file_id }: Which,
  mapping: Mapping,
): Promise<{ rows: number; errors: RowFault[] }> => {
  const which = { user: actorOf(user), dataset_id, file_id }
  const { target, file } = await ctx.store.read(queries.findImport, which)
  if (file.job_id !== null)
    throw unprocessable(`The import of this file was started before, as job ${file.job_id}: upload it again`)
  checkMapping(mapping, file.layout.header, namesOf(target.schema), target.allowExtra)
  const recipe = { mapping, schema: target.schema, stem: stemOf(file.name), limits: limitsOf(ctx.config) }
  const place = { layout: file.layout, from: file.layout.first, limit: checkedRows }
  const batch = await prepareBatch(uploadPath(ctx.config, file_id), place, recipe)
  return { rows: batch.rows, errors: faultsOf(batch, judgeBatch({ ...batch, mapping }, target)) }
}

/** Starts the import. @returns its job. @throws Problem not_found, forbidden, unprocessable */
export const startImport = async (ctx: Ctx, user: Actor, which: Which, mapping: Mapping): Promise<Job> => {
  const job = await ctx.store.write(commands.startImport, { user: actorOf(user), ...which, mapping })
  return getJob(ctx, user, job)
}

// biome-ignore lint/performance/noBarrelFile: the feature's one door: what the command line calls
export { importLocal } from './local.ts'
