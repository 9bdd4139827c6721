import { z } from 'zod'
import { defineEndpoint } from './define-endpoint.ts'
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

export const storedFileEndpoints = [getStoredFile] as const
