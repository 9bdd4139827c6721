import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createGunzip, createGzip } from 'node:zlib'
import { packTar, type TarSource, unpackTar } from 'modern-tar/fs'
import { z } from 'zod'
import { StoreError } from '#platform/db/store.ts'
import { counting, type OnStep } from './steps.ts'

/** The members of a backup, in this order. `secret` is missing if the server's secret comes from its environment. */
const MEMBERS = ['secret', 'postil.db'] as const
type Member = (typeof MEMBERS)[number]
const MANIFEST = 'manifest.json'

const Content = z.object({ bytes: z.int(), sha256: z.string() })
const Manifest = z.object({
  format: z.literal('postil backup'),
  format_version: z.literal(1),
  postil: z.string(),
  created_at: z.string(),
  revisions: z.array(z.string()),
  files: z.object({ secret: Content.optional(), 'postil.db': Content }),
})
/** A backup's description, which is its first member. */
export type Manifest = z.infer<typeof Manifest>

/** Returns the size and checksum of a file. */
const contentOf = async (path: string): Promise<z.infer<typeof Content>> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash)
  return { bytes: (await stat(path)).size, sha256: hash.digest('hex') }
}

type About = Pick<Manifest, 'postil' | 'created_at' | 'revisions'>

/** Packs members from a folder into a new file that only its owner can read. */
export const packBackup = async (
  folder: string,
  members: readonly Member[],
  about: About,
  { target, onStep }: { readonly target: string; readonly onStep: OnStep },
): Promise<void> => {
  const contents = await Promise.all(members.map(async (name) => [name, await contentOf(join(folder, name))] as const))
  const manifest = { format: 'postil backup', format_version: 1, ...about, files: Object.fromEntries(contents) }
  const sources: TarSource[] = [
    { type: 'content', target: MANIFEST, content: `${JSON.stringify(manifest, null, 2)}\n`, mode: 0o600 },
    ...members.map((name) => ({ type: 'file', target: name, source: join(folder, name), mode: 0o600 }) as const),
  ]
  const total = contents.reduce((sum, [, { bytes }]) => sum + bytes, 0)
  await pipeline(
    packTar(sources),
    // The number of bytes includes headers, so it can slightly exceed the total.
    counting((bytes) => onStep({ what: 'packing', unit: 'bytes', done: Math.min(bytes, total), total })),
    createGzip({ level: constants.Z_BEST_SPEED }),
    createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }),
  )
}

const notOurs = (file: string) => new StoreError(`The file ${file} is not a Postil backup.`)
const damaged = (file: string, how: string) =>
  new StoreError(`The backup ${file} is damaged or incomplete (${how}). Nothing was changed.`)

const readManifest = async (file: string, folder: string): Promise<Manifest> => {
  try {
    return Manifest.parse(JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')))
  } catch {
    throw notOurs(file)
  }
}

/**
 * Unpacks a backup into an empty folder and verifies every byte.
 * @throws StoreError if the file is not a backup or is incomplete
 */
export const unpackBackup = async (file: string, folder: string, onStep: OnStep): Promise<Manifest> => {
  const names = new Set<string>([MANIFEST, ...MEMBERS])
  const unpack = unpackTar(folder, {
    strict: true,
    fmode: 0o600,
    filter: ({ name, type }) => names.has(name) && (type === undefined || type === 'file'),
  })
  try {
    const packed = await stat(file)
    if (!packed.isFile()) throw notOurs(file)
    const { size: total } = packed
    const counted = counting((done) => onStep({ what: 'unpacking', unit: 'bytes', done, total }))
    await pipeline(createReadStream(file), counted, createGunzip(), unpack)
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException
    if (syscall !== undefined || error instanceof StoreError) throw error
    if (code === 'Z_DATA_ERROR' && message.includes('header')) throw notOurs(file)
    throw damaged(file, message)
  }
  const manifest = await readManifest(file, folder)
  for (const name of MEMBERS) {
    const packed = manifest.files[name]
    if (packed === undefined) continue
    const found = await contentOf(join(folder, name)).catch(() => null)
    if (found?.sha256 !== packed.sha256) throw damaged(file, `${name} does not match its checksum`)
  }
  return manifest
}
