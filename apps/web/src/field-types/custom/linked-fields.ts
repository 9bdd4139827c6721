import { parseFileAddress } from '@postil/contract/files/stored-file-addresses.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import { useQueries } from '@tanstack/react-query'
import { href } from '#lib/api/base.ts'
import { call } from '#lib/api/client.ts'

type Fields = { readonly [name: string]: JsonValue }

const isObject = (value: JsonValue): value is { readonly [key: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the addresses of stored files at any depth in a record's values. */
export const storedFileUrls = (value: JsonValue): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(storedFileUrls)
  if (isObject(value)) return Object.values(value).flatMap(storedFileUrls)
  return typeof value === 'string' && parseFileAddress(value) !== null ? [value] : []
}

export const storedFilePaths = (value: JsonValue): readonly string[] =>
  storedFileUrls(value).flatMap((address) => parseFileAddress(address)?.path ?? [])

/**
 * Returns the origins of a record's images. A value, at any depth, counts as an image if it consists only of a URL. A value with
 * spaces is text, not a URL.
 */
export const imageOrigins = (value: JsonValue | Fields): readonly string[] => {
  if (typeof value === 'string') return /^https?:\/\/\S+$/i.test(value) && URL.canParse(value) ? [new URL(value).origin] : []
  return typeof value === 'object' && value !== null ? [...new Set(Object.values(value).flatMap(imageOrigins))] : []
}

const replaceStrings = (value: JsonValue, links: ReadonlyMap<string, string>): JsonValue => {
  if (Array.isArray(value)) return value.map((one) => replaceStrings(one, links))
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaceStrings(one, links)]))
  return typeof value === 'string' ? (links.get(value) ?? value) : value
}

/** Replaces the addresses of stored files in the values. */
export const replaceFileLinks = (fields: Fields, links: ReadonlyMap<string, string>): Fields =>
  replaceStrings(fields, links) as Fields

/** How long a link is used, in milliseconds. This is nine minutes, because links are valid for at least ten minutes. */
const FRESH_MS = 540_000

/**
 * Returns a record's fields for a template, or null until the links are loaded. The template's frame has no session, so it can't
 * load stored files from their addresses. Links that work without a session replace these addresses. If a file has no link, its
 * address stays.
 */
export const useLinkedFields = (fields: Fields): Fields | null => {
  const addresses = [...new Set(storedFileUrls(fields))]
  const links = useQueries({
    queries: addresses.map((address) => ({
      queryKey: ['file-link', address],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => {
        const { dataset_id = '', name = '' } = parseFileAddress(address) ?? {}
        return call('GET /datasets/:dataset_id/files/:name/link', { params: { dataset_id, name }, signal })
      },
      staleTime: FRESH_MS,
      gcTime: FRESH_MS,
      retry: 1,
    })),
  })
  if (addresses.length === 0) return fields
  if (links.some(({ isPending }) => isPending)) return null
  const linkByAddress = addresses.flatMap((address, i) => {
    const path = links[i]?.data?.path
    return path === undefined ? [] : [[address, new URL(href(path), document.baseURI).href] as const]
  })
  return replaceFileLinks(fields, new Map(linkByAddress))
}
