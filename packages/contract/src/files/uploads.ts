import { z } from 'zod'
import { defineEndpoint } from '../wire/define-endpoint.ts'
import { int, printedDatetime, printedUuid, uuid } from '../wire/scalars.ts'
import { FileQuery, ImportFile } from './imports.ts'

/** A file that is uploaded in parts. */
export const Upload = z.strictObject({
  id: printedUuid(),
  /** Null until the file belongs to a dataset. */
  dataset_id: printedUuid().nullable(),
  name: z.string(),
  /** The size of the complete file in bytes. */
  size: z.int(),
  /** The number of bytes received. The next part starts at this offset. */
  received: z.int(),
  inserted_at: printedDatetime(),
  expires_at: printedDatetime(),
})
export type Upload = z.infer<typeof Upload>

const UploadBody = FileQuery.extend({
  /** The size of the complete file in bytes. */
  size: int({ ge: 1 }),
  /** The target dataset. Null if it does not exist yet. */
  dataset_id: uuid().nullish(),
})
export type UploadBody = z.output<typeof UploadBody>

const one = '/me/imports/uploads/:file_id'

export const beginUpload = defineEndpoint({
  id: 'uploads.begin',
  method: 'POST',
  path: '/me/imports/uploads',
  body: UploadBody,
  status: 201,
  result: Upload,
  errors: [403, 404, 429],
  addition: true,
  summary: 'Start the upload of a file in parts',
})

export const getUpload = defineEndpoint({
  id: 'uploads.get',
  method: 'GET',
  path: one,
  result: Upload,
  errors: [403, 404],
  addition: true,
  summary: 'Get the progress of an upload',
})

export const sendPart = defineEndpoint({
  id: 'uploads.send',
  method: 'PUT',
  path: one,
  bodyKind: 'stream',
  /** The offset of the part's first byte in the file. */
  query: z.object({ at: int({ ge: 0 }) }),
  result: Upload,
  errors: [403, 404, 409],
  addition: true,
  summary: 'Upload the next part of a file as the request body',
})

export const finishUpload = defineEndpoint({
  id: 'uploads.finish',
  method: 'POST',
  path: `${one}/finish`,
  status: 201,
  result: ImportFile,
  errors: [403, 404, 409],
  addition: true,
  summary: 'Finish an upload and read the columns of the file; safe to repeat',
})

export const dropUpload = defineEndpoint({
  id: 'uploads.drop',
  method: 'DELETE',
  path: one,
  errors: [403, 404, 409],
  addition: true,
  summary: 'Cancel an unfinished upload',
})

export const uploadEndpoints = [beginUpload, getUpload, sendPart, finishUpload, dropUpload] as const
