import { path } from '@postil/client/address.ts'
import type { SearchBodyInput } from '@postil/contract/search.ts'

const myDatasets = '/api/v1/me/datasets'

/** Requests made before the code of the screen has loaded (`boot/`) must match the screen's own requests exactly. */
export type RecordsRequest = { readonly path: string; readonly query?: object; readonly body: object }

/** The endpoint for everything that the screen shows besides the records. */
export const setupPath = (datasetId: string): string => path(myDatasets, datasetId, 'annotation')

/** Returns the request for the next records of the queue. */
export const queueRequest = (datasetId: string, request: { readonly limit: number; readonly exclude: readonly string[] }) => ({
  path: path(myDatasets, datasetId, 'queue'),
  body: { limit: request.limit, exclude: [...request.exclude], drafts: false },
})

/** Returns the request for a page of the caller's own search, with the caller's answers and all suggestions. */
export const searchRequest = (
  datasetId: string,
  body: SearchBodyInput,
  { offset, limit }: { readonly offset: number; readonly limit: number },
) => ({
  path: path(myDatasets, datasetId, 'records', 'search'),
  query: { offset, limit, include: ['responses', 'suggestions'] },
  body,
})
