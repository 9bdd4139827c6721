/** Media types of stored files, keyed by file extension. */
export const storedTypes = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
} as const
export type StoredEnding = keyof typeof storedTypes

const ENDINGS = Object.keys(storedTypes).join('|')
/** A file is named after the SHA-256 of its content, with an extension for its type. */
export const storedName = new RegExp(`^[0-9a-f]{64}\\.(${ENDINGS})$`)
const ADDRESS = new RegExp(
  `^https?://[^/?#]+/(?:[^?#]*/)?(api/v1/datasets/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/files/([0-9a-f]{64}\\.(?:${ENDINGS})))$`,
)
const MAX_ADDRESS = 2038

/** `path` is relative to the base URL of the server. */
export type FileAddress = { readonly dataset_id: string; readonly name: string; readonly path: string }

/**
 * The stored file that a URL points to. The server's base URL may have changed since the URL was created. Null for other URLs.
 */
export const parseFileAddress = (url: unknown): FileAddress | null => {
  const found = typeof url === 'string' && url.length <= MAX_ADDRESS ? ADDRESS.exec(url) : null
  return found === null ? null : { path: `/${found[1] ?? ''}`, dataset_id: found[2] ?? '', name: found[3] ?? '' }
}

const ADDRESS_IN_TEXT = new RegExp(
  `/api/v1/datasets/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/files/([0-9a-f]{64}\\.(?:${ENDINGS}))`,
  'g',
)

/** The stored files whose URLs occur anywhere in some text: a value, Markdown or serialized JSON. */
export const findFileAddresses = (text: string): readonly FileAddress[] =>
  [...text.matchAll(ADDRESS_IN_TEXT)].map(([path, dataset_id = '', name = '']) => ({ path, dataset_id, name }))

/** @param base the base URL of the server, with a trailing slash */
export const fileAddress = (base: string, { dataset_id, name }: Omit<FileAddress, 'path'>): string =>
  `${base}api/v1/datasets/${dataset_id}/files/${name}`
