import { z } from 'zod'
import { defineEndpoint } from '../wire/define-endpoint.ts'
import { int, printedDatetime, printedUuid, uuid } from '../wire/scalars.ts'
import { FileQuery, ImportFile } from './imports.ts'

/** A file that arrives in parts. */
export const Upload = z.strictObject({
  id: printedUuid(),
  /** Null while it belongs to no dataset. */
  dataset_id: printedUuid().nullable(),
  name: z.string(),
  /** Bytes of the whole file. */
  size: z.int(),
  /** Bytes that are there: the next part begins with this one. */
  received: z.int(),
  inserted_at: printedDatetime(),
  expires_at: printedDatetime(),
})
export type Upload = z.infer<typeof Upload>

const UploadBody = FileQuery.extend({
  /** Bytes of the whole file. */
  size: int({ ge: 1 }),
  /** Where the records go; null for a dataset that does not exist yet. */
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
  summary: 'Begin to upload a file with records in parts',
})

export const getUpload = defineEndpoint({
  id: 'uploads.get',
  method: 'GET',
  path: one,
  result: Upload,
  errors: [403, 404],
  addition: true,
  summary: 'How much of a file has arrived',
})

export const sendPart = defineEndpoint({
  id: 'uploads.send',
  method: 'PUT',
  path: one,
  bodyKind: 'stream',
  /** Place of the part's first byte in the file. */
  query: z.object({ at: int({ ge: 0 }) }),
  result: Upload,
  errors: [403, 404, 409],
  addition: true,
  summary: 'Send the next part of a file, as the body of the request',
})

export const finishUpload = defineEndpoint({
  id: 'uploads.finish',
  method: 'POST',
  path: `${one}/finish`,
  status: 201,
  result: ImportFile,
  errors: [403, 404, 409],
  addition: true,
  summary: 'Have a file looked into that has arrived whole; may be repeated',
})

export const dropUpload = defineEndpoint({
  id: 'uploads.drop',
  method: 'DELETE',
  path: one,
  errors: [403, 404, 409],
  addition: true,
  summary: 'Give up a file that has not arrived whole',
})

export const uploadEndpoints = [beginUpload, getUpload, sendPart, finishUpload, dropUpload] as const
