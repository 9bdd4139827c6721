import { fileNamedBy } from '@postil/contract/files/stored-file-names.ts'
import type { linkStoredFile } from '@postil/contract/files/stored-files.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import { useQueries } from '@tanstack/react-query'
import { href } from '#lib/api/base.ts'
import { call } from '#lib/api/client.ts'

type Fields = { readonly [name: string]: JsonValue }

const isObject = (value: JsonValue): value is { readonly [key: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Addresses of stored files among the values of a record, wherever they stand. */
export const storedAddresses = (value: JsonValue): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(storedAddresses)
  if (isObject(value)) return Object.values(value).flatMap(storedAddresses)
  return typeof value === 'string' && fileNamedBy(value) !== null ? [value] : []
}

/** The paths of those files. */
export const storedPaths = (value: JsonValue): readonly string[] =>
  storedAddresses(value).flatMap((address) => fileNamedBy(address)?.path ?? [])

const replaced = (value: JsonValue, links: ReadonlyMap<string, string>): JsonValue => {
  if (Array.isArray(value)) return value.map((one) => replaced(one, links))
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaced(one, links)]))
  return typeof value === 'string' ? (links.get(value) ?? value) : value
}

/** Values in which stored files have other addresses. */
export const withLinks = (fields: Fields, links: ReadonlyMap<string, string>): Fields => replaced(fields, links) as Fields

/** A link is good for ten minutes at least. */
const FRESH_MS = 540_000

/**
 * The fields of a record as a template gets them: its frame has no session, so files of ours have links in place of their addresses. Null until
 * the links are there; a file without one keeps its address.
 */
export const useLinkedFields = (fields: Fields): Fields | null => {
  const addresses = [...new Set(storedAddresses(fields))]
  const links = useQueries({
    queries: addresses.map((address) => ({
      queryKey: ['file-link', address],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        call<typeof linkStoredFile>('GET', `${fileNamedBy(address)?.path}/link`, { signal }),
      staleTime: FRESH_MS,
      gcTime: FRESH_MS,
      retry: 1,
    })),
  })
  if (addresses.length === 0) return fields
  if (links.some(({ isPending }) => isPending)) return null
  const known = addresses.flatMap((address, i) => {
    const path = links[i]?.data?.path
    return path === undefined ? [] : [[address, new URL(href(path), document.baseURI).href] as const]
  })
  return withLinks(fields, new Map(known))
}
