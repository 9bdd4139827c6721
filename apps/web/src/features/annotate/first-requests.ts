import { path } from '@postil/client/address.ts'
import type { SearchBodyInput } from '@postil/contract/search.ts'

const mine = '/api/v1/me/datasets'

/** What is asked for before the code of the screen is there (`boot/`) has to be asked for in the same words. */
export type RecordsRequest = { readonly path: string; readonly query?: object; readonly body: object }

/** Where all that is shown beside the records comes from. */
export const setupPath = (datasetId: string): string => path(mine, datasetId, 'annotation')

/** The request for the next records of the queue. */
export const queueRequest = (datasetId: string, asked: { readonly limit: number; readonly exclude: readonly string[] }) => ({
  path: path(mine, datasetId, 'queue'),
  body: { limit: asked.limit, exclude: [...asked.exclude], drafts: false },
})

/** The request for a page of the caller's own search, with the caller's answers and all suggestions. */
export const searchRequest = (
  datasetId: string,
  body: SearchBodyInput,
  { offset, limit }: { readonly offset: number; readonly limit: number },
) => ({
  path: path(mine, datasetId, 'records', 'search'),
  query: { offset, limit, include: ['responses', 'suggestions'] },
  body,
})
