import { type StoredEnding, storedTypes } from '@postil/contract/files/stored-file-names.ts'
import { forbidden, notFound, unavailable } from '@postil/contract/wire/errors.ts'
import type { Actor } from '#features/records/service.ts'
import type { Config } from '#platform/config/read-config.ts'
import type { Store } from '#platform/db/store.ts'
import { FileStoreFault } from '#platform/files/define.ts'
import { fileStore } from '#platform/files/file-store.ts'
import { StoredBytes } from '#platform/http/answers/answers.ts'
import { fileHeaders } from '#platform/http/security-headers.ts'
import { isGood, type LinkCtx, type Signed } from './link.ts'
import { checkMaySee } from './queries.ts'

type Ctx = { readonly store: Store; readonly config: Config }
type Which = { readonly dataset_id: string; readonly name: string }
/** What the request says beside the address. */
type Wanted = { readonly range?: string | undefined; readonly ifNoneMatch?: string | undefined }
type Part = { readonly start: number; readonly end: number }

/** The part that is asked for; null for the whole, also where the question is not understood; 'none' where there is no such part. */
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
  { dataset_id, name }: Which,
  wanted: Wanted,
  more: { readonly [header: string]: string },
): Promise<StoredBytes> => {
  const etag = `"${name}"`
  const headers = { ...fileHeaders, 'accept-ranges': 'bytes', etag, ...more }
  if (wanted.ifNoneMatch === etag) return new StoredBytes(304, headers, null)
  const file = await (await fileStore(config)).open(dataset_id, name).catch((error: unknown) => {
    throw error instanceof FileStoreFault ? unavailable(error.message, 5) : error
  })
  if (file === null) throw notFound('File', name)
  const { size } = file
  const type = { 'content-type': storedTypes[name.slice(name.lastIndexOf('.') + 1) as StoredEnding] }
  const part = partOf(wanted.range, size)
  if (part === 'none') return new StoredBytes(416, { ...headers, 'content-range': `bytes */${size}` }, null)
  if (part === null) return new StoredBytes(200, { ...headers, ...type, 'content-length': String(size) }, file.read(0, size))
  const { start, end } = part
  const said = { 'content-length': String(end - start), 'content-range': `bytes ${start}-${end - 1}/${size}` }
  return new StoredBytes(206, { ...headers, ...type, ...said }, file.read(start, end))
}

/**
 * A stored file for those who may see records of its dataset. It never changes, so it is asked for once.
 * @throws Problem not_found, forbidden, unavailable
 */
export const serveFile = async ({ store, config }: Ctx, user: Actor, which: Which, wanted: Wanted): Promise<StoredBytes> => {
  await store.read(checkMaySee, { user: { id: user.id, role: user.role }, dataset_id: which.dataset_id })
  return send(config, which, wanted, { 'cache-control': 'private, max-age=31536000, immutable' })
}

/** A stored file for whoever has a link to it that still is good. @throws Problem not_found, forbidden, unavailable */
export const serveLinked = async ({ config, secrets }: LinkCtx, which: Which & Signed, wanted: Wanted): Promise<StoredBytes> => {
  if (!isGood(secrets, which)) throw forbidden()
  const left = Math.max(0, which.expires - Math.floor(Date.now() / 1000))
  // NOTE: the frame of a custom field has an origin of its own, which is nobody's
  const open = { 'cross-origin-resource-policy': 'cross-origin', 'cache-control': `private, max-age=${left}` }
  return send(config, which, wanted, open)
}
