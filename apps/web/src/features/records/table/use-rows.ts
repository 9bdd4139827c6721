import type { SearchBodyInput } from '@postil/contract/search.ts'
import { useQueries, useQuery } from '@tanstack/react-query'
import type { Row } from '../api.ts'
import { firstRowsQuery, pageSize, rowsQuery } from '../api.ts'

/** The loaded rows of a search. Loads the pages that contain the given rows. */
export const useRows = (
  datasetId: string,
  body: SearchBodyInput,
  { first, last }: { readonly first: number; readonly last: number },
) => {
  const head = useQuery(firstRowsQuery(datasetId, body))
  const from = Math.max(1, Math.floor(first / pageSize))
  const to = Math.floor(Math.max(0, last - 1) / pageSize)
  const pages = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
  const loaded = useQueries({ queries: pages.map((page) => rowsQuery(datasetId, body, page)) })
  const rowAt = (index: number): Row | undefined => {
    const page = Math.floor(index / pageSize)
    const data = page === 0 ? head.data : loaded[page - from]?.data
    return data?.rows[index % pageSize]
  }
  return { rowAt, head, error: head.error ?? loaded.find(({ error }) => error)?.error ?? null }
}

/** The number of records that a search finds; null until it is known. */
export const useTotal = (datasetId: string, body: SearchBodyInput): number | null =>
  useQuery(firstRowsQuery(datasetId, body)).data?.total ?? null
