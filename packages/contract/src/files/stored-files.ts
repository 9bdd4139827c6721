import { z } from 'zod'
import { defineEndpoint } from '../wire/define-endpoint.ts'
import { int, printedDatetime } from '../wire/scalars.ts'
import { storedName, storedTypes } from './stored-file-addresses.ts'

export const getStoredFile = defineEndpoint({
  id: 'files.stored',
  method: 'GET',
  path: '/datasets/:dataset_id/files/:name',
  params: { name: z.string().regex(storedName) },
  media: Object.values(storedTypes),
  status: 200,
  successes: [200, 206, 304, 416],
  errors: [403, 404],
  addition: true,
  summary: 'Get a stored file that a record refers to, such as an imported image',
})

/** `path` is relative to the base URL of the server. Anyone who knows the path can use it until `expires_at`. */
export const FileLink = z.strictObject({ path: z.string(), expires_at: printedDatetime() })
export type FileLink = z.infer<typeof FileLink>

export const linkStoredFile = defineEndpoint({
  id: 'files.link',
  method: 'GET',
  path: '/datasets/:dataset_id/files/:name/link',
  params: { name: z.string().regex(storedName) },
  result: FileLink,
  errors: [403, 404],
  addition: true,
  summary: 'Get a short-lived link that opens a stored file without credentials',
})

export const getLinkedFile = defineEndpoint({
  id: 'files.linked',
  method: 'GET',
  path: '/datasets/:dataset_id/files/:name/linked',
  params: { name: z.string().regex(storedName) },
  access: 'none',
  query: z.object({ expires: int(), signature: z.string() }),
  media: Object.values(storedTypes),
  status: 200,
  successes: [200, 206, 304, 416],
  errors: [403, 404, 503],
  addition: true,
  summary: 'Get a stored file by a signed link',
})

export const storedFileEndpoints = [getStoredFile, linkStoredFile, getLinkedFile] as const
