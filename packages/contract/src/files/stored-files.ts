import { z } from 'zod'
import { defineEndpoint } from '../wire/define-endpoint.ts'
import { int, printedDatetime } from '../wire/scalars.ts'
import { storedName, storedTypes } from './stored-file-names.ts'

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
  summary: 'A file that a record of the dataset names, such as an imported image',
})

/** `path` is below the prefix of the server, and good until `expires_at` for whoever has it. */
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
  summary: 'An address of such a file that needs no credentials, for a short while',
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
  summary: 'A file by such an address',
})

export const storedFileEndpoints = [getStoredFile, linkStoredFile, getLinkedFile] as const
