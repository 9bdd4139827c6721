import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { parquetOf } from '@postil/server/platform/parquet/testing/parquet.ts'
import { makeWorkbook, textRow } from '@postil/server/platform/xlsx/testing/make-workbook.ts'
import { makeZip } from '@postil/server/platform/zip/testing/make-zip.ts'
import { type Client, createClient } from '@postil/testkit/client.ts'
import { detail } from '@postil/testkit/detail.ts'
import { createFactories } from '@postil/testkit/factories.ts'
import { variants } from '@postil/testkit/run-size.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { emptyPlace, OWNER, type Place, type RunningServer, startServer } from '#harness/server.ts'
import { listActiveJobs } from './inspect.ts'

let place: Place
let server: RunningServer
let client: Client
const start = async () => {
  server = await startServer({ place })
  client = createClient(server.url, { api_key: OWNER.apiKey })
}
beforeAll(async () => {
  place = await emptyPlace()
  await start()
})
afterAll(async () => {
  await server.kill()
  await place.drop()
})

const ROWS = 12_000
const IMAGES = 1500
const texts = Array.from({ length: ROWS }, (_, i) => `row ${i + 1}`)
/** The smallest possible images, all different. */
const imageFiles = Array.from({ length: IMAGES }, (_, i) => ({
  name: `p/${String(i).padStart(4, '0')}.gif`,
  content: Buffer.concat([Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1'), Buffer.from(String(i))]),
}))

type Kind = {
  readonly name: string
  readonly bytes: () => Uint8Array
  readonly column: string
  readonly field: 'text' | 'image'
  readonly ids: readonly string[]
}
const kinds: readonly Kind[] = [
  { name: 'rows.parquet', bytes: () => parquetOf({ text: ['text', texts] }, 700), column: 'text', field: 'text', ids: texts },
  {
    name: 'rows.xlsx',
    bytes: () => makeWorkbook({ sheets: { Data: [textRow(1, 'text'), ...texts.map((text, i) => textRow(i + 2, text))] } }),
    column: 'text',
    field: 'text',
    ids: texts,
  },
  {
    name: 'pictures.zip',
    bytes: () => makeZip(imageFiles),
    column: 'image',
    field: 'image',
    ids: imageFiles.map(({ name }) => name),
  },
]

type Job = { readonly status: string; readonly import: { readonly rows: number } }
type Item = { readonly external_id: string; readonly fields: { readonly text?: string; readonly picture?: string } }

const makeDataset = async (field: Kind['field']) => {
  const name = field === 'text' ? 'text' : 'picture'
  const { body } = await client.get<{ items: { id: string }[] }>('/me/workspaces')
  const fields = [{ name, required: true, settings: { type: field } }]
  return createFactories(client).createDataset({
    name: `killed ${field} ${crypto.randomUUID()}`,
    workspace_id: body.items[0]?.id ?? '',
    fields,
  })
}

const recordsOf = async (dataset: string): Promise<readonly Item[]> => {
  const all: Item[] = []
  for (let page: readonly Item[] | null = null; page === null || page.length > 0; all.push(...page))
    page = (await client.get<{ items: Item[] }>(`/datasets/${dataset}/records?limit=1000&offset=${all.length}`)).body.items
  return all
}

type Uploaded = { readonly kind: Kind; readonly dataset: string; readonly start: () => Promise<() => Promise<Job>> }

const upload = async (kind: Kind): Promise<Uploaded> => {
  const dataset = (await makeDataset(kind.field)).id
  const base = `/datasets/${dataset}/imports/files`
  const type = { 'content-type': 'application/octet-stream' }
  const { body: file } = await client.post<{ id: string }>(`${base}?name=${kind.name}`, kind.bytes(), type)
  const fields = [{ source: kind.column, target: kind.field === 'text' ? 'text' : 'picture' }]
  const mapping = { fields, external_id: kind.field === 'text' ? 'text' : 'file_name' }
  const start = async () => {
    const { body: job } = await client.post<{ id: string }>(`${base}/${file.id}/start`, { mapping })
    return async () => (await client.get<Job>(`/jobs/${job.id}`)).body
  }
  return { kind, dataset, start }
}

it.each(variants(1, kinds))(
  'an import of $name continues where a killed server left it, without lost or duplicate rows',
  async (kind) => {
    const { dataset, start: startImport } = await upload(kind)
    const state = await startImport()
    const rowsNow = async () => (await state()).import.rows
    await expect.poll(rowsNow, { timeout: 60_000, interval: 5 }).toBeGreaterThan(0)
    await server.kill()
    // Reads the jobs directly from the database. The next server would resume this job before a request could list it.
    expect((await listActiveJobs(place)).filter((job) => job.startsWith('imports.file'))).not.toEqual([])
    await start()
    await expect.poll(async () => (await state()).status, { timeout: 120_000 }).toBe('finished')
    const rows = kind.ids.length
    expect(await state()).toMatchObject({ import: { rows, created: rows, updated: 0, failed: 0 } })
    const records = await recordsOf(dataset)
    expect(records.map(({ external_id }) => external_id)).toEqual(kind.ids)
    if (kind.field === 'text') expect(records.map(({ fields: { text } }) => text)).toEqual(kind.ids)
    else {
      const named = records.map(({ fields: { picture = '' } }) => picture.slice(picture.lastIndexOf('/') + 1))
      const there = readdirSync(join(place.dataDir, 'files', dataset), { recursive: true, withFileTypes: true })
      // A file that was being written when the process was killed remains as a `.part` file, which is never read.
      const kept = there.filter((entry) => entry.isFile() && !entry.name.endsWith('.part')).map((entry) => entry.name)
      expect(kept.sort()).toEqual([...named].sort())
      expect(new Set(named).size).toBe(rows)
    }
  },
)

detail('an upload in parts continues where a server killed during a part left it', async () => {
  const content = Buffer.from(`text\n${'A row that is here to take room.\n'.repeat(100_000)}`)
  const uploads = '/me/imports/uploads'
  type Upload = { readonly id: string; readonly received: number }
  const { body: upload } = await client.post<Upload>(uploads, { name: 'long.csv', size: content.length })
  const received = async () => (await client.get<Upload>(`${uploads}/${upload.id}`)).body.received
  const half = content.subarray(0, content.length / 2)
  // An upload part that never completes.
  const sent = request(`${server.url}/api/v1${uploads}/${upload.id}?at=0`, {
    method: 'PUT',
    headers: {
      'content-type': 'application/octet-stream',
      'content-length': content.length,
      'x-argilla-api-key': server.apiKey,
    },
  })
  sent.on('error', () => undefined)
  sent.write(half)
  await expect.poll(received).toBe(half.length)
  await server.kill()
  await start()
  expect(await received()).toBe(half.length)
  const type = { 'content-type': 'application/octet-stream' }
  await client.put(`${uploads}/${upload.id}?at=${half.length}`, content.subarray(half.length), type)
  const file = await client.post<{ size: number; rows: string[][] }>(`${uploads}/${upload.id}/finish`)
  expect([file.status, file.body.size]).toEqual([201, content.length])
  expect(readFileSync(join(place.dataDir, 'uploads', upload.id)).equals(content)).toBe(true)
})

detail('a download interrupted by a killed server continues after its last complete record, with the same bytes', async () => {
  const { dataset, start: startImport } = await upload(kinds[0] as Kind)
  const state = await startImport()
  await expect.poll(async () => (await state()).status, { timeout: 120_000 }).toBe('finished')
  const ask = async (after?: string) => {
    const query = new URLSearchParams({ format: 'jsonl', ...(after !== undefined && { after }) })
    const answer = await fetch(`${server.url}/api/v1/datasets/${dataset}/records/download?${query}`, {
      headers: { 'x-argilla-api-key': server.apiKey },
    })
    return answer.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>
  }
  /** Reads until the file ends or the connection breaks. */
  const read = async (from: ReadableStreamDefaultReader<Uint8Array>, onChunk: () => unknown = () => undefined) => {
    const chunks: Uint8Array[] = []
    const isWhole = await (async () => {
      for (;;) {
        const { done, value } = await from.read()
        if (done) return true
        chunks.push(value)
        await onChunk()
      }
    })().catch(() => false)
    return { text: Buffer.concat(chunks).toString(), isWhole }
  }
  const whole = await read(await ask())
  expect(whole.isWhole).toBe(true)
  let isKilled = false
  const broken = await read(await ask(), async () => {
    if (!isKilled) await server.kill()
    isKilled = true
  })
  expect(broken.isWhole).toBe(false)
  const kept = broken.text.slice(0, broken.text.lastIndexOf('\n') + 1)
  const last = JSON.parse(kept.trimEnd().split('\n').at(-1) ?? '') as { _server_id: string }
  await start()
  const rest = await read(await ask(last._server_id))
  expect(rest.isWhole).toBe(true)
  expect(kept.length).toBeLessThan(whole.text.length)
  expect(kept + rest.text === whole.text).toBe(true)
})
