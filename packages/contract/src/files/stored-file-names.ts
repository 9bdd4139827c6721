/** Media types of stored files by the ending of their names. */
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
/** A file is named by the SHA-256 of what is in it, and by its kind. */
export const storedName = new RegExp(`^[0-9a-f]{64}\\.(${ENDINGS})$`)
const ADDRESS = new RegExp(
  `^https?://[^/?#]+/(?:[^?#]*/)?(api/v1/datasets/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/files/([0-9a-f]{64}\\.(?:${ENDINGS})))$`,
)
const MAX_ADDRESS = 2038

/** `path` is the address below the prefix of the server. */
export type FileAddress = { readonly dataset_id: string; readonly name: string; readonly path: string }

/** The stored file that an address names, wherever the server was when it was made; null for other addresses. */
export const fileNamedBy = (url: unknown): FileAddress | null => {
  const found = typeof url === 'string' && url.length <= MAX_ADDRESS ? ADDRESS.exec(url) : null
  return found === null ? null : { path: `/${found[1] ?? ''}`, dataset_id: found[2] ?? '', name: found[3] ?? '' }
}

const MENTIONED = new RegExp(
  `/api/v1/datasets/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/files/([0-9a-f]{64}\\.(?:${ENDINGS}))`,
  'g',
)

/** The stored files whose addresses stand somewhere in a text: in a value, in Markdown, in printed JSON. */
export const filesMentionedIn = (text: string): readonly FileAddress[] =>
  [...text.matchAll(MENTIONED)].map(([path, dataset_id = '', name = '']) => ({ path, dataset_id, name }))

/** The address of a stored file. @param base address of the server with its prefix and the slash at the end */
export const addressOf = (base: string, { dataset_id, name }: Omit<FileAddress, 'path'>): string =>
  `${base}api/v1/datasets/${dataset_id}/files/${name}`
