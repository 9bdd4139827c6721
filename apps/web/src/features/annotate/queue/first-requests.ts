import type { QueuePurpose } from '@postil/contract/queue.ts'
import type { SearchBodyInput } from '@postil/contract/search.ts'

/** `boot/` sends these requests before the code of the screen has loaded. They must equal the screen's own requests exactly. */
export type RecordsRequest = ReturnType<typeof queueRequest> | ReturnType<typeof searchRequest>

/** Returns the request for everything that the screen shows besides the records. */
export const setupRequest = (datasetId: string) =>
  ({ route: 'GET /me/datasets/:dataset_id/annotation', params: { dataset_id: datasetId } }) as const

/** Returns the request for the next records of the queue. */
export const queueRequest = (
  datasetId: string,
  request: { readonly limit: number; readonly exclude: readonly string[]; readonly purpose?: QueuePurpose },
) => ({
  route: 'POST /me/datasets/:dataset_id/queue' as const,
  params: { dataset_id: datasetId },
  body: { limit: request.limit, exclude: [...request.exclude], drafts: false, purpose: request.purpose ?? ('view' as const) },
})

/** Returns the request for a page of the caller's own search, with the caller's answers and all suggestions. */
export const searchRequest = (
  datasetId: string,
  body: SearchBodyInput,
  { offset, limit }: { readonly offset: number; readonly limit: number },
) => ({
  route: 'POST /me/datasets/:dataset_id/records/search' as const,
  params: { dataset_id: datasetId },
  query: { offset, limit, include: ['responses', 'suggestions'] },
  body,
})
