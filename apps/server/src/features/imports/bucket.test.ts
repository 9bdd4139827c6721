import type { DatasetSpec } from '@postil/testkit/factories.ts'
import { type StandInBucket, startBucket } from '@postil/testkit/stand-in-bucket.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { removeFiles } from '#features/jobs/public.ts'
import { bootIdleServer, type IdleServer } from '#features/jobs/testing/idle-server.ts'
import { pngOf } from '#platform/images/testing/png.ts'
import { takeJobs } from '#platform/jobs/operations.ts'
import { makeZip } from '#platform/zip/testing/make-zip.ts'
import { importer, same } from './testing/fixtures.ts'

let bucket: StandInBucket
let fixture: IdleServer
beforeAll(async () => {
  bucket = await startBucket()
  fixture = await bootIdleServer(new URL('./testing/operations.ts', import.meta.url), {
    POSTIL_FILES: `s3://${bucket.name}/postil`,
    POSTIL_S3_ENDPOINT: bucket.url,
    POSTIL_S3_REGION: bucket.region,
    POSTIL_S3_ACCESS_KEY_ID: bucket.accessKey,
    POSTIL_S3_SECRET_ACCESS_KEY: bucket.secretKey,
    POSTIL_PUBLIC_URL: 'https://annotate.example.org',
  })
})
afterAll(async () => {
  await fixture.close()
  await bucket.close()
})

const spec: DatasetSpec = { fields: [{ name: 'image', required: true, settings: { type: 'image' } }] }
const red = pngOf([255, 0, 0])

it('images are stored in the bucket, served from its public address, and deleted with their dataset', async () => {
  const { server } = fixture
  const { ctx } = server.app
  const dataset = await server.createDataset(spec)
  const { upload, start, take, step, finish, records } = importer(server, dataset)
  const { id } = (await upload('a.zip', makeZip([{ name: 'a.png', content: red }]))).body
  expect((await start(id, { fields: same('image') })).status).toBe(202)
  const held = await take()
  if (held === undefined) throw new Error('there is no job')
  bucket.failWith = 403
  await expect(step(held)).rejects.toThrow('The bucket pictures at')
  bucket.failWith = null
  expect((await step(held)).state).toBe('finished')
  await finish()
  const url = String((await records())[0]?.fields['image'])
  expect(url).toMatch(`https://annotate.example.org/api/v1/datasets/${dataset.id}/files/`)
  expect([...bucket.objects.keys()]).toEqual([`postil/${dataset.id}/${url.split('/').at(-1)}`])
  const path = new URL(url).pathname
  const send = (headers = {}) =>
    fetch(`${server.url}${path}`, { headers: { 'x-argilla-api-key': server.owner.api_key, ...headers } })
  const answer = await send()
  expect([answer.status, new Uint8Array(await answer.arrayBuffer())]).toEqual([200, red])
  expect(await (await send({ range: 'bytes=1-3' })).text()).toBe('PNG')
  bucket.failWith = 403
  expect((await send()).status).toBe(503)
  bucket.failWith = null
  await server.clientFor(server.owner).delete(`/datasets/${dataset.id}`)
  expect((await send()).status).toBe(404)
  const removal = (await ctx.store.write(takeJobs, { kinds: [removeFiles.kind], limit: 1, hold: 60_000_000 }))[0]
  if (removal === undefined) throw new Error('nothing removes the files')
  const input = await removeFiles.outsideWork?.prepare(ctx, removal.id)
  expect((await ctx.store.write(removeFiles.step, { ...removal, hold: 60_000_000, input })).state).toBe('finished')
  expect(bucket.objects.size).toBe(0)
})
