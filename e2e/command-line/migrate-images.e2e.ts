import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Dataset } from '@postil/contract/datasets.ts'
import { parseFileAddress } from '@postil/contract/files/stored-file-addresses.ts'
import { pngOf } from '@postil/server/platform/images/testing/png.ts'
import { makeZip } from '@postil/server/platform/zip/testing/make-zip.ts'
import { type Client, createClient } from '@postil/testkit/client.ts'
import { createFactories } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { postil } from '../harness/cli.ts'
import type { Place, RunningServer } from '../harness/server.ts'
import { emptyPlace, OWNER, startServer } from '../harness/server.ts'
import { documentOf, migrateFrom } from './migrate/source.ts'

const imageFiles = { 'red.png': pngOf([255, 0, 0]), 'blue.png': pngOf([0, 0, 255]) }

type Item = { readonly external_id: string; readonly fields: { readonly image: string } }

let place: Place
let source: RunningServer
let imageSources: Dataset
/** Addresses of the images at the source, keyed by the images' names in the archive. */
let addresses: ReadonlyMap<string, string>

const addressesAt = async (client: Client): Promise<ReadonlyMap<string, string>> => {
  const { body } = await client.get<{ items: Item[] }>(`/datasets/${imageSources.id}/records`)
  return new Map(body.items.map(({ external_id, fields }) => [external_id, fields.image]))
}

beforeAll(async () => {
  place = await emptyPlace('sqlite')
  source = await startServer({ place })
  const client = createClient(source.url, { api_key: OWNER.apiKey })
  const { createDataset, createWorkspace } = createFactories(client)
  const workspace_id = (await createWorkspace('team')).id
  const fields = [{ name: 'image', required: true, settings: { type: 'image' } }]
  imageSources = await createDataset({ name: 'imgs', workspace_id, fields })
  const files = `/datasets/${imageSources.id}/imports/files`
  const zip = makeZip(Object.entries(imageFiles).map(([name, content]) => ({ name, content })))
  const type = { 'content-type': 'application/octet-stream' }
  const { body: file } = await client.post<{ id: string }>(`${files}?name=two.zip`, zip, type)
  const mapping = { fields: [{ source: 'image', target: 'image' }], external_id: 'file_name' }
  const { body: job } = await client.post<{ id: string }>(`${files}/${file.id}/start`, { mapping })
  const isDone = async () => expect((await client.get(`/jobs/${job.id}`)).body).toMatchObject({ status: 'finished' })
  await vi.waitFor(isDone, { timeout: 60_000 })
  addresses = await addressesAt(client)
  expect([...addresses.keys()].sort()).toEqual(['blue.png', 'red.png'])

  const copies = await createDataset({ name: 'copies', workspace_id })
  const text = `![red](${addresses.get('red.png')})`
  expect((await client.post(`/datasets/${copies.id}/records/bulk`, { items: [{ fields: { text } }] })).status).toBe(201)
})
afterAll(async () => {
  await source.stop()
  await place.drop()
})

const fileName = (name: keyof typeof imageFiles) => {
  const named = parseFileAddress(addresses.get(name))
  if (named === null) throw new Error(`${name} has no address`)
  return named
}

/** The images that the target serves after the source is gone. */
const servedFrom = async (target: Place) => {
  const server = await startServer({ place: target })
  try {
    expect(await addressesAt(createClient(server.url, { api_key: OWNER.apiKey }))).toEqual(addresses)
    const served = Object.keys(imageFiles).map(async (name) => {
      const { path } = fileName(name as keyof typeof imageFiles)
      const answer = await fetch(`${server.url}${path}`, { headers: { 'x-argilla-api-key': OWNER.apiKey } })
      return [name, answer.status === 200 ? new Uint8Array(await answer.arrayBuffer()) : answer.status]
    })
    return Object.fromEntries(await Promise.all(served))
  } finally {
    await server.stop()
  }
}

test('images are copied with the records that use them, counted on both sides and not fetched again', async () => {
  const target = await emptyPlace()
  const { code, stdout } = await postil(target, migrateFrom(source.url, '--dataset', 'imgs'))
  expect([code, stdout]).toEqual([0, expect.stringContaining('2 records and 2 images; updated 0 records. The counts match')])
  expect(stdout).toMatch(/imgs \(team\): images +2 +2 *\n/)
  expect(await postil(target, ['doctor'])).toMatchObject({ code: 0 })
  expect(await servedFrom(target)).toEqual(imageFiles)

  const files = join(target.dataDir, 'files', imageSources.id)
  const isFile = (name: string) => name.endsWith('.png')
  const [lost = ''] = readdirSync(files, { recursive: true, encoding: 'utf8' }).filter(isFile)
  rmSync(join(files, lost))
  const again = await postil(target, migrateFrom(source.url, '--dataset', 'imgs', '--json'))
  expect(documentOf(again)).toMatchObject({ code: 0, equal: true, made: { records: 0, images: 1 } })
  expect(await servedFrom(target)).toEqual(imageFiles)
  await target.drop()
})

test('an image of another dataset is copied with that dataset, and reported if that dataset is not copied', async () => {
  const target = await emptyPlace()
  const alone = await postil(target, migrateFrom(source.url, '--dataset', 'copies', '--json'))
  expect(documentOf(alone)).toMatchObject({
    code: 1,
    equal: false,
    made: { records: 1, images: 0 },
    left_out: [{ part: `the image ${fileName('red.png').path}`, reason: expect.stringContaining(imageSources.id) }],
  })
  const both = await postil(target, migrateFrom(source.url, '--json'))
  expect(documentOf(both)).toMatchObject({ code: 0, equal: true, left_out: [], made: { images: 2 } })
  expect(await servedFrom(target)).toEqual(imageFiles)
  await target.drop()
})

test('a missing or changed image is reported with its record, which is copied anyway', async () => {
  const pathOf = (name: string) => join(place.dataDir, 'files', imageSources.id, name.slice(0, 2), name)
  rmSync(pathOf(fileName('red.png').name))
  writeFileSync(pathOf(fileName('blue.png').name), imageFiles['red.png'])
  const target = await emptyPlace()
  const result = await postil(target, migrateFrom(source.url, '--dataset', 'imgs', '--json'))
  expect(documentOf(result)).toMatchObject({ code: 1, equal: false, made: { records: 2, images: 0 } })
  const { left_out } = documentOf(result) as unknown as { left_out: { part: string; reason: string }[] }
  expect(left_out.map(({ part, reason }) => [part, reason]).sort()).toEqual(
    [
      [`the image ${fileName('red.png').path}`, 'it is missing on the source server'],
      [`the image ${fileName('blue.png').path}`, 'the source server sent a different file'],
    ].sort(),
  )
  expect(await servedFrom(target)).toEqual({ 'red.png': 404, 'blue.png': 404 })
  await target.drop()
})
