import { type StoredEnding, storedTypes } from '@postil/contract/files/stored-file-addresses.ts'
import { forbidden, notFound, unavailable } from '@postil/contract/wire/errors.ts'
import { type Actor, actorOf } from '#platform/auth/actor.ts'
import type { Config } from '#platform/config/read-config.ts'
import type { Store } from '#platform/db/store.ts'
import { FileStoreFault } from '#platform/files/define.ts'
import { fileStore } from '#platform/files/file-store.ts'
import { StoredBytes } from '#platform/http/answers/answers.ts'
import { fileHeaders } from '#platform/http/security-headers.ts'
import { isGood, type LinkCtx, type Signed } from './link.ts'
import { checkMaySee } from './queries.ts'

type Ctx = { readonly store: Store; readonly config: Config }
type ImageKey = { readonly dataset_id: string; readonly name: string }

/** The request headers that affect the response. */
type RequestConditions = { readonly range?: string | undefined; readonly ifNoneMatch?: string | undefined }
type Part = { readonly start: number; readonly end: number }

/**
 * The requested part; null for the whole file, including when the range can't be parsed; 'none' for a range outside the file.
 */
const partOf = (range: string | undefined, size: number): Part | 'none' | null => {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? []
  if (from === '' && to === '') return null
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size : Math.min(size, Number(to) + 1)
  if (from !== '' && to !== '' && Number(to) < Number(from)) return null
  return start < end ? { start, end } : 'none'
}

const send = async (
  config: Config,
  { dataset_id, name }: ImageKey,
  conditions: RequestConditions,
  more: { readonly [header: string]: string },
): Promise<StoredBytes> => {
  const etag = `"${name}"`
  const headers = { ...fileHeaders, 'accept-ranges': 'bytes', etag, ...more }
  if (conditions.ifNoneMatch === etag) return new StoredBytes(304, headers, null)
  const file = await (await fileStore(config)).open(dataset_id, name).catch((error: unknown) => {
    throw error instanceof FileStoreFault ? unavailable(error.message, 5) : error
  })
  if (file === null) throw notFound('File', name)
  const { size } = file
  const type = { 'content-type': storedTypes[name.slice(name.lastIndexOf('.') + 1) as StoredEnding] }
  const part = partOf(conditions.range, size)
  if (part === 'none') return new StoredBytes(416, { ...headers, 'content-range': `bytes */${size}` }, null)
  if (part === null) return new StoredBytes(200, { ...headers, ...type, 'content-length': String(size) }, file.read(0, size))
  const { start, end } = part
  const partHeaders = { 'content-length': String(end - start), 'content-range': `bytes ${start}-${end - 1}/${size}` }
  return new StoredBytes(206, { ...headers, ...type, ...partHeaders }, file.read(start, end))
}

/**
 * Serves a stored file to users who may see the dataset's records. Files never change, so browsers may cache them without
 * revalidation.
 * @throws Problem not_found, forbidden, unavailable
 */
export const serveFile = async (
  { store, config }: Ctx,
  user: Actor,
  key: ImageKey,
  conditions: RequestConditions,
): Promise<StoredBytes> => {
  await store.read(checkMaySee, { user: actorOf(user), dataset_id: key.dataset_id })
  return send(config, key, conditions, { 'cache-control': 'private, max-age=31536000, immutable' })
}

/** Serves a stored file to anyone with a valid link to it. @throws Problem not_found, forbidden, unavailable */
export const serveLinked = async (
  { config, secrets }: LinkCtx,
  key: ImageKey & Signed,
  conditions: RequestConditions,
): Promise<StoredBytes> => {
  if (!isGood(secrets, key)) throw forbidden()
  const secondsLeft = Math.max(0, key.expires - Math.floor(Date.now() / 1000))
  // A custom field's frame has an opaque origin, so its requests are always cross-origin
  const open = { 'cross-origin-resource-policy': 'cross-origin', 'cache-control': `private, max-age=${secondsLeft}` }
  return send(config, key, conditions, open)
}
