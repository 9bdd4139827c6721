import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import type { ImportFile } from '@postil/contract/files/imports.ts'
import type { Upload } from '@postil/contract/files/uploads.ts'
import { expect, it } from 'vitest'
import { importer, same, setUpImports, spec, uploadsOf } from '../testing/fixtures.ts'
import { makePartFile, receivedOf, writePart } from './part-file.ts'

const fixture = setUpImports()
const BYTES = { 'content-type': 'application/octet-stream' }
const rows = 2000
const CONTENT = Buffer.from(`text\n${Array.from({ length: rows }, (_, i) => `row ${i + 1} – ü\n`).join('')}`)

type ErrorDetail = { readonly detail: string }
const sender = (user: { readonly api_key: string } = fixture.server.owner) => {
  const client = fixture.server.clientFor(user)
  const base = '/me/imports/uploads'
  return {
    begin: (body: object) => client.post<Upload & ErrorDetail>(base, body),
    getUpload: (id: string) => client.get<Upload & ErrorDetail>(`${base}/${id}`),
    part: (id: string, at: number, bytes: Uint8Array) => client.put<Upload & ErrorDetail>(`${base}/${id}?at=${at}`, bytes, BYTES),
    finish: (id: string) => client.post<ImportFile & ErrorDetail>(`${base}/${id}/finish`),
    drop: (id: string) => client.delete(`${base}/${id}`),
  }
}
const announced = (name = 'rows.csv', content = CONTENT) => ({ name, size: content.length })

/** Sends a part but breaks the connection after its first bytes. */
const breakOff = (id: string, bytes: Uint8Array): Promise<void> =>
  new Promise((done) => {
    const sent = request(`${fixture.server.url}/api/v1/me/imports/uploads/${id}?at=0`, {
      method: 'PUT',
      headers: { ...BYTES, 'x-argilla-api-key': fixture.server.owner.api_key, 'content-length': CONTENT.length },
    })
    sent.on('error', () => done())
    sent.write(bytes, () => void arrived(id, bytes.length).then(() => sent.destroy()))
  })
const arrived = async (id: string, bytes: number): Promise<void> => {
  await expect.poll(async () => (await sender().getUpload(id)).body.received).toBe(bytes)
}

it('a chunked upload resumes after a lost connection, and imports the original file', async () => {
  const dataset = await fixture.server.createDataset(spec)
  const { begin, getUpload, part, finish } = sender()
  const { id, received, dataset_id } = (await begin({ ...announced(), dataset_id: dataset.id })).body
  expect([received, dataset_id]).toEqual([0, dataset.id])
  // Cuts in the middle of a character.
  const cut = CONTENT.indexOf('ü', 10_000) + 1
  await breakOff(id, CONTENT.subarray(0, cut))
  expect((await getUpload(id)).body.received).toBe(cut)
  // An incomplete file can't be imported yet.
  expect(await finish(id)).toMatchObject({
    status: 409,
    body: { detail: `Only ${cut} of the ${CONTENT.length} bytes of the file have arrived` },
  })
  const { start, finish: work, job, records } = importer(fixture.server, dataset)
  expect((await start(id, { fields: same('text') })).status).toBe(404)
  expect((await part(id, 0, CONTENT)).status).toBe(409)
  expect((await part(id, cut, CONTENT.subarray(cut))).body.received).toBe(CONTENT.length)
  const file = await finish(id)
  expect(file).toMatchObject({ status: 201, body: { id, dataset_id: dataset.id, size: CONTENT.length, format: 'csv' } })
  // The first response may have been lost, so repeating the request returns the same result.
  expect((await finish(id)).body).toEqual(file.body)
  const started = (await start(id, { fields: same('text') })).body
  await work()
  expect((await job(started.id)).import).toMatchObject({ rows, created: rows, failed: 0 })
  expect((await records()).map(({ fields }) => fields.text)).toEqual(Array.from({ length: rows }, (_, i) => `row ${i + 1} – ü`))
  expect((await finish(id)).status).toBe(422)
})

it('a chunked upload belongs to the newest sender, and ignores later data from an older one', async () => {
  const path = `${fixture.server.app.ctx.config.dataDir}/uploads/two-senders`
  await makePartFile(path)
  let go: () => void = () => undefined
  const paused = new Promise<void>((done) => {
    go = done
  })
  async function* slow() {
    yield Buffer.from('ab')
    await paused
    yield Buffer.from('XX')
  }
  async function* quick() {
    yield Buffer.from('cd')
  }
  const old = writePart(path, { at: 0, size: 4, chunks: slow() })
  await expect.poll(() => receivedOf(path)).toBe(2)
  await writePart(path, { at: 2, size: 4, chunks: quick() })
  go()
  await expect(old).rejects.toThrow('Another request is already uploading this file')
  expect(await readFile(path, 'utf8')).toBe('abcd')
})

it('a chunked upload can’t be seen, continued or finished by another user', async () => {
  const admin = await fixture.server.createUser({ role: 'admin' })
  const { id } = (await sender().begin(announced())).body
  const other = sender(admin)
  for (const answer of [other.getUpload(id), other.part(id, 0, CONTENT), other.finish(id), other.drop(id)])
    expect((await answer).status).toBe(403)
  const annotator = await fixture.server.createUser({ role: 'annotator' })
  expect((await sender(annotator).begin(announced())).status).toBe(403)
})

it('a chunked upload that can’t be imported is rejected before or right after it is sent, and isn’t stored', async () => {
  const { begin, part, finish, drop, getUpload } = sender()
  expect(await begin({ name: 'letter.doc', size: 10 })).toMatchObject({ status: 422 })
  expect((await begin({ name: 'rows.csv', size: 3_000_000_000 })).status).toBe(413)
  expect((await begin({ name: 'rows.csv', size: 10, dataset_id: crypto.randomUUID() })).status).toBe(404)
  const damaged = Buffer.from('text\nJos\xc3\xa9 \0\n', 'latin1')
  const { id } = (await begin(announced('names.csv', damaged))).body
  await part(id, 0, damaged)
  expect(await finish(id)).toMatchObject({ status: 422, body: { detail: expect.stringContaining('NUL') } })
  expect((await getUpload(id)).status).toBe(404)
  const uploadId = (await begin(announced())).body.id
  expect((await part(uploadId, 0, CONTENT.subarray(0, 100))).body.received).toBe(100)
  expect((await drop(uploadId)).status).toBe(204)
  expect((await getUpload(uploadId)).status).toBe(404)
  const left = await uploadsOf(fixture.server)
  expect([id, uploadId].filter((one) => left.includes(one))).toEqual([])
})

it('a chunked upload accepts UTF-16 with a byte order mark', async () => {
  const { begin, part, finish } = sender()
  const content = Buffer.from('\ufefftext\tnote\r\nü\t1\r\n', 'utf16le')
  const { id } = (await begin(announced('rows.csv', content))).body
  await part(id, 0, content)
  const file = await finish(id)
  expect([file.status, file.body.rows, file.body.size]).toEqual([201, [['ü', '1']], content.length])
  expect((await finish(id)).body).toEqual(file.body)
  const { upload } = importer(fixture.server, await fixture.server.createDataset(spec))
  expect((await upload('rows.csv', content)).body).toMatchObject({ rows: [['ü', '1']], size: content.length })
})
