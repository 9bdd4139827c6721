import type { RecordAssignments } from '@postil/contract/assignments.ts'
import type { SearchBodyInput } from '@postil/contract/search.ts'
import { useQueries, useQuery } from '@tanstack/react-query'
import { recordAssigneesQuery } from '#features/assignments/public.ts'
import type { Row } from '../api.ts'
import { firstRowsQuery, pageSize, rowsQuery } from '../api.ts'

/**
 * The people to whom records are assigned, keyed by record ID. They are requested for the pages that contain the given rows.
 * @param isShown whether the table shows the people
 */
export const useAssignees = (
  datasetId: string,
  rowAt: (index: number) => Row | undefined,
  { first, last, isShown }: { readonly first: number; readonly last: number; readonly isShown: boolean },
): ((recordId: string) => RecordAssignments['users']) => {
  const from = Math.floor(first / pageSize)
  const to = Math.floor(Math.max(0, last - 1) / pageSize)
  const pages = Array.from({ length: isShown ? Math.max(0, to - from + 1) : 0 }, (_, index) => from + index)
  const idsOn = (page: number): readonly string[] =>
    Array.from({ length: pageSize }, (_, i) => rowAt(page * pageSize + i)?.record.id).filter((id) => id !== undefined)
  const loaded = useQueries({ queries: pages.map((page) => recordAssigneesQuery(datasetId, idsOn(page))) })
  return (recordId) => loaded.find(({ data }) => data?.has(recordId))?.data?.get(recordId) ?? []
}

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
