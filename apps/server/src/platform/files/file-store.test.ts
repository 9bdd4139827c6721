import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { detail } from '@postil/testkit/detail.ts'
import { type StandInBucket, startBucket } from '@postil/testkit/stand-in-bucket.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FileStore } from './define.ts'
import { fileStore } from './file-store.ts'

let folder: string
let bucket: StandInBucket
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postil-files-'))
  bucket = await startBucket()
})
afterAll(async () => {
  await bucket.close()
  await rm(folder, { recursive: true })
})

const inBucket = (secretKey = bucket.secretKey) =>
  fileStore({
    dataDir: folder,
    files: { kind: 's3', bucket: bucket.name, prefix: 'team/a/' },
    s3Endpoint: bucket.url,
    s3Region: bucket.region,
    s3AccessKey: bucket.accessKey,
    s3SecretKey: secretKey,
  })
const inFolder = () =>
  fileStore({
    dataDir: folder,
    files: undefined,
    s3Endpoint: undefined,
    s3Region: '',
    s3AccessKey: undefined,
    s3SecretKey: undefined,
  })

const places: { readonly [name: string]: () => Promise<FileStore> } = { folder: inFolder, bucket: inBucket }
const file = (text: string) => {
  const bytes = new Uint8Array(Buffer.from(text))
  return { bytes, name: `${createHash('sha256').update(bytes).digest('hex')}.png` }
}
const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}
const textOf = async (chunks: AsyncIterable<Uint8Array>) => Buffer.concat(await all(chunks)).toString()

describe.each(Object.keys(places))('files in a %s', (name) => {
  const open = () => (places[name] as () => Promise<FileStore>)()

  it('are stored, read in full and in parts, listed and removed separately for each dataset', async () => {
    const store = await open()
    const [a, b] = [file('one'), file('two and more')]
    expect(await store.open('d1', a.name)).toBeNull()
    await store.put('d1', a.name, a.bytes)
    await store.put('d1', a.name, a.bytes)
    await store.put('d1', b.name, b.bytes)
    await store.put('d2', a.name, a.bytes)
    const found = await store.open('d1', b.name)
    expect([found?.size, await textOf(found?.read(0, 12) ?? (async function* () {})())]).toEqual([12, 'two and more'])
    expect(await textOf(found?.read(4, 7) ?? (async function* () {})())).toBe('and')
    expect((await all(store.list('d1'))).sort()).toEqual([a.name, b.name].sort())
    while (!(await store.remove('d1')));
    expect([await all(store.list('d1')), await store.open('d1', a.name)]).toEqual([[], null])
    expect(await all(store.list('d2'))).toEqual([a.name])
    expect(await store.remove('d0')).toBe(true)
  })
})

/** Makes a file older. */
const age: { readonly [name: string]: (dataset: string, name: string, days: number) => Promise<void> } = {
  folder: async (dataset, name, days) => {
    const then = new Date(Date.now() - days * DAY)
    await utimes(join(folder, 'files', dataset, name.slice(0, 2), name), then, then)
  },
  bucket: async (dataset, name, days) => void bucket.times.set(`team/a/${dataset}/${name}`, Date.now() - days * DAY),
}
const DAY = 86_400_000

describe.each(Object.keys(places))('old files in a %s', (name) => {
  it('are those not stored again for a while, and are removed unless they were stored again', async () => {
    const store = await (places[name] as () => Promise<FileStore>)()
    const grow = age[name] as (typeof age)[string]
    const [old, again, young] = [file('old'), file('again'), file('young')]
    for (const one of [old, again, young]) await store.put('d6', one.name, one.bytes)
    for (const one of [old, again]) await grow('d6', one.name, 2)
    const before = Date.now() - DAY
    expect((await all(store.listOld('d6', before))).sort()).toEqual([old.name, again.name].sort())
    await store.put('d6', again.name, again.bytes)
    expect([await store.removeOld('d6', old.name, before), await store.removeOld('d6', again.name, before)]).toEqual([
      true,
      false,
    ])
    expect((await all(store.list('d6'))).sort()).toEqual([again.name, young.name].sort())
    expect(await store.removeOld('d6', old.name, before)).toBe(true)
    expect(await all(store.listOld('d0', before))).toEqual([])
  })
})

it('an unfinished temporary file in a folder also becomes old', async () => {
  const store = await inFolder()
  const one = file('whole')
  await store.put('d7', one.name, one.bytes)
  const draft = `${one.name}.7f9c.part`
  await writeFile(join(folder, 'files', 'd7', one.name.slice(0, 2), draft), 'half')
  await age['folder']?.('d7', draft, 2)
  const before = Date.now() - DAY
  expect(await all(store.listOld('d7', before))).toEqual([draft])
  expect([await store.removeOld('d7', draft, before), await all(store.list('d7'))]).toEqual([true, [one.name]])
})

it('a folder stores files readable only by their owner and leaves no temporary files', async () => {
  const store = await inFolder()
  const one = file('for me')
  await Promise.all(Array.from({ length: 5 }, () => store.put('d3', one.name, one.bytes)))
  const names = await readdir(join(folder, 'files', 'd3', one.name.slice(0, 2)))
  expect(names).toEqual([one.name])
  expect((await stat(join(folder, 'files', 'd3', one.name.slice(0, 2), one.name))).mode & 0o777).toBe(0o600)
})

detail('a bucket lists and removes more files than fit into one response', async () => {
  const store = await inBucket()
  for (let i = 0; i < 1_203; i += 1) bucket.objects.set(`team/a/d4/${String(i).padStart(4, '0')}.png`, new Uint8Array())
  bucket.objects.set('team/a/d40/x.png', new Uint8Array())
  expect(await all(store.list('d4'))).toHaveLength(1_203)
  let rounds = 1
  while (!(await store.remove('d4'))) rounds += 1
  expect([rounds, [...bucket.objects.keys()].filter((key) => key.includes('/d4'))]).toEqual([7, ['team/a/d40/x.png']])
})

it('a bucket that refuses or is unreachable produces a readable error', async () => {
  const one = file('one')
  const wrong = await inBucket('another secret')
  await expect(wrong.put('d5', one.name, one.bytes)).rejects.toThrow(
    /^The bucket pictures at 127\.0\.0\.1:\d+ refused to check for a file: 403/,
  )
  await expect(all(wrong.list('d5'))).rejects.toThrow('403 SignatureDoesNotMatch')
  const away = await fileStore({
    dataDir: folder,
    files: { kind: 's3', bucket: 'pictures', prefix: '' },
    s3Endpoint: 'http://127.0.0.1:1',
    s3Region: 'x',
    s3AccessKey: 'a',
    s3SecretKey: 'b',
  })
  await expect(away.put('d5', one.name, one.bytes)).rejects.toThrow('could not be reached')
})
