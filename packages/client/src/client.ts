import type { Record as RecordPayload, upsertRecords } from '@postil/contract/records.ts'
import type { SearchBodyInput, SearchResult } from '@postil/contract/search.ts'
import type { BodyInputOf } from '@postil/contract/wire/endpoint.ts'
import { createCall } from './call.ts'
import { type RetryOptions, withRetries } from './retries.ts'
import { createTransport } from './transport.ts'

/** The maximum numbers of items per request. */
const maxRecordsPerRequest = 500
const maxIdsPerDelete = 100
const maxFoundPerPage = 1000

type UpsertResult = BodyInputOf<typeof upsertRecords>['items'][number]
type PageOptions = { readonly pageSize?: number; readonly signal?: AbortSignal }

export type ClientOptions = RetryOptions & {
  /** The URL of the server, including its path prefix. */
  readonly url: string
  readonly apiKey: string
}

async function* inBatches<T>(items: Iterable<T> | AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/**
 * Calls a server as one user. Every call has the contract's types. Transient failures are retried.
 * @throws ApiError with the status, the server's message and its code, or with status 0 if the server can't be reached
 */
export const createClient = ({ url, apiKey, ...retries }: ClientOptions) => {
  const root = url.replace(/\/+$/, '')
  const transport = createTransport({ href: (address) => root + address, headers: () => ({ 'x-argilla-api-key': apiKey }) })
  const call = createCall(withRetries(transport, retries))
  const signalOf = (signal: AbortSignal | undefined) => (signal ? { signal } : {})

  return {
    /** Calls any endpoint of the contract: `call('GET /me')`. */
    call,

    /** All datasets that the user can see. */
    datasets: async () => (await call('GET /me/datasets')).items,
    dataset: (dataset_id: string) => call('GET /datasets/:dataset_id', { params: { dataset_id } }),

    /**
     * All records of a dataset, oldest first. Loads the next page when it is needed.
     * @param include as in the query, for example `['responses', 'vectors:words']`
     */
    async *records(
      datasetId: string,
      { include, pageSize = maxFoundPerPage, signal }: PageOptions & { readonly include?: readonly string[] } = {},
    ): AsyncGenerator<RecordPayload> {
      for (let offset = 0; ; offset += pageSize) {
        const query = { offset, limit: pageSize, ...(include && { include }) }
        const { items } = await call('GET /datasets/:dataset_id/records', {
          params: { dataset_id: datasetId },
          query,
          ...signalOf(signal),
        })
        yield* items
        if (items.length < pageSize) return
      }
    },

    /**
     * The results of a search, in search order. @param options if `mine` is true, the search refers to the user's own answers
     * and, without a sort, uses the user's own order
     */
    async *search(
      datasetId: string,
      body: SearchBodyInput,
      { mine = false, pageSize = maxFoundPerPage, signal }: PageOptions & { readonly mine?: boolean } = {},
    ): AsyncGenerator<SearchResult['items'][number]> {
      const route = mine ? 'POST /me/datasets/:dataset_id/records/search' : 'POST /datasets/:dataset_id/records/search'
      const params = { dataset_id: datasetId }
      for (let offset = 0; ; offset += pageSize) {
        const query = { offset, limit: pageSize }
        const { items } = await call(route, { params, query, body, ...signalOf(signal) })
        yield* items
        if (items.length < pageSize) return
      }
    },

    /**
     * Creates records, or updates existing records with the same id or external id, in batches of at most 500. For each batch,
     * either all records are stored or none.
     * @returns for each batch, the stored records in the same order and the number of records sent so far
     */
    async *upsertRecords(
      datasetId: string,
      records: Iterable<UpsertResult> | AsyncIterable<UpsertResult>,
      { batch = maxRecordsPerRequest, signal }: { readonly batch?: number; readonly signal?: AbortSignal } = {},
    ): AsyncGenerator<{ readonly sent: number; readonly items: readonly RecordPayload[] }> {
      let sent = 0
      for await (const items of inBatches(records, Math.min(batch, maxRecordsPerRequest))) {
        const stored = await call('PUT /datasets/:dataset_id/records/bulk', {
          params: { dataset_id: datasetId },
          body: { items },
          ...signalOf(signal),
        })
        sent += items.length
        yield { sent, items: stored.items }
      }
    },

    /** Deletes records by id, in batches. */
    deleteRecords: async (datasetId: string, ids: Iterable<string> | AsyncIterable<string>): Promise<void> => {
      for await (const some of inBatches(ids, maxIdsPerDelete))
        await call('DELETE /datasets/:dataset_id/records', { params: { dataset_id: datasetId }, query: { ids: some.join(',') } })
    },
  }
}
export type Client = ReturnType<typeof createClient>
