import type { ImportFile } from '@postil/contract/files/imports.ts'
import type { Upload, UploadBody } from '@postil/contract/files/uploads.ts'
import { conflict, forbidden, notFound, Problem, tooLarge } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { type Actor, actorOf } from '#platform/auth/actor.ts'
import type { Config } from '#platform/config/read-config.ts'
import type { Store } from '#platform/db/store.ts'
import { uploadsFull } from '#platform/files/full-disk.ts'
import { newId } from '#platform/ids.ts'
import { printTime } from '#platform/time.ts'
import { createImport } from '../commands.ts'
import { formatOf } from '../inspect/formats.ts'
import { inspectInThread } from '../inspect/inspect-in-thread.ts'
import { formatOfLayout, readingOf } from '../inspect/layout.ts'
import { importPolicy } from '../policy.ts'
import { printFile, RETENTION_US } from '../print-file.ts'
import { sweepUploads } from '../sweep.ts'
import { checkUploadSpace, removeUpload, sourceOf, uploadPath } from '../uploads.ts'
import * as operations from './operations.ts'
import { makePartFile, receivedOf, takeOver, writePart } from './part-file.ts'

type Ctx = { readonly store: Store; readonly config: Config }
type Row = Pick<operations.UploadRow, 'id' | 'dataset_id' | 'name' | 'size' | 'inserted_at'>

const print = ({ id, dataset_id, name, size, inserted_at }: Row, received: number): Upload => ({
  ...{ id, dataset_id, name, size, received },
  inserted_at: printTime(inserted_at),
  expires_at: printTime(inserted_at + RETENTION_US),
})

/**
 * Creates a file that will arrive in parts.
 * @throws Problem not_found, forbidden, unprocessable, too_large, too_many
 */
export const beginUpload = async (
  ctx: Ctx,
  user: Actor,
  { name, format, size, dataset_id = null }: UploadBody,
): Promise<Upload> => {
  if (!importPolicy.uploadMine(user)) throw forbidden()
  const arriving = formatOf({ name, format })
  const { maxImportFile } = ctx.config
  if (size > maxImportFile)
    throw tooLarge(`The file exceeds the limit of ${maxImportFile} bytes. POSTIL_MAX_IMPORT_FILE sets the limit`)
  await sweepUploads(ctx)
  await checkUploadSpace(ctx.config, size).catch(uploadsFull)
  const id = newId()
  const inserted_at = await ctx.store.write(createImport, {
    user: actorOf(user),
    dataset_id,
    id,
    name,
    size,
    found: { arriving },
  })
  try {
    await makePartFile(uploadPath(ctx.config, id))
  } catch (error) {
    await ctx.store.write(operations.forgetUpload, { id })
    return uploadsFull(error)
  }
  return print({ id, dataset_id, name, size, inserted_at }, 0)
}

/** The file and the number of bytes received. @throws Problem not_found, forbidden */
const receivedBytes = async ({ store, config }: Ctx, user: Actor, file_id: string) => {
  const upload = await store.read(operations.findUpload, { user: actorOf(user), file_id })
  const path = uploadPath(config, upload.id)
  const received = await receivedOf(path)
  if (received === null) throw notFound('File', file_id)
  return { upload, path, received }
}

/** @throws Problem not_found, forbidden */
export const getUpload = async (ctx: Ctx, user: Actor, file_id: string): Promise<Upload> => {
  const { upload, received } = await receivedBytes(ctx, user, file_id)
  return print(upload, received)
}

type Part = { readonly at: number; readonly chunks: AsyncIterable<Uint8Array> }

/** Stores the next part of a file as it arrives. @throws Problem not_found, forbidden, conflict, unprocessable */
export const sendPart = async (ctx: Ctx, user: Actor, file_id: string, { at, chunks }: Part): Promise<Upload> => {
  const { upload, path } = await receivedBytes(ctx, user, file_id)
  if (upload.arriving === null) throw conflict('The file is already complete')
  return print(upload, await writePart(path, { at, size: upload.size, chunks }).catch(uploadsFull))
}

const deleteUpload = async ({ store, config }: Ctx, id: string): Promise<void> => {
  await takeOver(uploadPath(config, id))
  if (await store.write(operations.forgetUpload, { id })) await removeUpload(config, id)
}

/**
 * Inspects a complete file. A file that can't be imported is deleted.
 * @throws Problem not_found, forbidden, conflict, unprocessable
 */
export const finishUpload = async (ctx: Ctx, user: Actor, file_id: string): Promise<ImportFile> => {
  const key = { user: actorOf(user), file_id }
  const { upload, names } = await ctx.store.read(operations.uploadWithNames, key)
  const path = uploadPath(ctx.config, upload.id)
  const received = await receivedOf(path)
  if (received === null) throw notFound('File', file_id)
  const { arriving, layout } = upload
  if (received !== upload.size) throw conflict(`Only ${received} of the ${upload.size} bytes of the file have arrived`)
  const source = sourceOf(ctx.config, upload.id)
  // The file has already been inspected. A client that missed the response repeats the request.
  if (arriving === null) return printFile(upload, await inspectInThread(source, formatOfLayout(layout), readingOf(layout)), names)
  await takeOver(path)
  try {
    const inspected = await inspectInThread(source, arriving)
    await ctx.store.write(operations.finishUpload, { ...key, layout: inspected.layout })
    return printFile(upload, inspected, names)
  } catch (error) {
    if (error instanceof Problem && error.data.kind === 'unprocessable') await deleteUpload(ctx, upload.id)
    throw error
  }
}

/** Deletes an incomplete file. @throws Problem not_found, forbidden, unprocessable */
export const dropUpload = async (ctx: Ctx, user: Actor, file_id: string): Promise<undefined> => {
  const { upload } = await receivedBytes(ctx, user, file_id)
  if (upload.arriving === null) throw conflict(message('fileArrived'))
  await deleteUpload(ctx, upload.id)
}
