import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@postil/testkit/client.ts'
import { detail } from '@postil/testkit/detail.ts'
import { type StandInHub, startStandInHub } from '@postil/testkit/stand-in-hub/stand-in-hub.ts'
import { parquetReadObjects } from 'hyparquet'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { preparePythonVenv } from '../../scripts/lib/python.mjs'
import { emptyPlace, type Place, type RunningServer, startServer } from '../harness/server.ts'
import { exported, items, spec } from './data.ts'

const run = promisify(execFile)
const TOKEN = 'hf_a-token-for-tests'
let hub: StandInHub
let place: Place
let server: RunningServer
let home: string
const start = () => startServer({ place, env: { HF_ENDPOINT: hub.url, POSTIL_DATASETS_SERVER: hub.url } })

beforeAll(async () => {
  hub = await startStandInHub()
  place = await emptyPlace()
  home = await mkdtemp(join(tmpdir(), 'postil hub '))
  server = await start()
})
afterAll(async () => {
  await server?.stop()
  await place?.drop()
  await hub.close()
  await rm(home, { recursive: true, force: true })
})

type Job = {
  readonly id: string
  readonly status: string
  readonly reason: string | null
  readonly done: number
  readonly import?: object
}
type Named = { readonly id: string; readonly name: string }
const client = () => createClient(server.url, { api_key: server.apiKey })
const jobOf = async (id: string) => (await client().get<Job>(`/jobs/${id}`)).body
const ended = async (id: string): Promise<Job> => {
  await expect.poll(async () => (await jobOf(id)).status, { timeout: 60_000, interval: 100 }).toMatch(/finished|failed|canceled/)
  return jobOf(id)
}

/** Creates a dataset through the public API. */
const make = async (name: string, parts: { readonly [key: string]: readonly object[] }): Promise<string> => {
  const { body: mine } = await client().get<{ items: Named[] }>('/me/workspaces')
  const body = { name, workspace_id: mine.items[0]?.id, guidelines: 'Read, then answer.', allow_extra_metadata: false }
  const { body: made } = await client().post<Named>('/datasets', body)
  for (const [kind, list] of Object.entries(parts)) {
    for (const part of list) expect((await client().post(`/datasets/${made.id}/${kind}`, part)).status).toBe(201)
  }
  expect((await client().put(`/datasets/${made.id}/publish`)).status).toBe(200)
  return made.id
}

/** Runs a Python program. @returns the JSON that it prints */
const python = async <T>(program: string, ...args: readonly string[]): Promise<T> => {
  const interpreter = process.env.POSTIL_TEST_PYTHON ?? (await preparePythonVenv('sdk-venv', 'e2e/sdk/requirements.txt'))
  const { HF_HUB_OFFLINE: _, ...kept } = process.env
  const env = {
    ...kept,
    ARGILLA_API_URL: server.url,
    ARGILLA_API_KEY: server.apiKey,
    HF_ENDPOINT: hub.url,
    HF_HOME: home,
    HF_HUB_DISABLE_TELEMETRY: '1',
    HF_HUB_DISABLE_PROGRESS_BARS: '1',
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONWARNINGS: 'ignore',
  }
  const { stdout } = await run(interpreter, [join(import.meta.dirname, program), ...args], { env, maxBuffer: 2 ** 28 })
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as T
}

describe('a dataset pushed to the Hub', () => {
  it('is read back complete by the published SDK: settings, fields, suggestions and answers', async () => {
    hub.allow(TOKEN, ['team'])
    const id = await make('pushed', spec)
    const { body: questions } = await client().get<{ items: Named[] }>(`/datasets/${id}/questions`)
    const { body: me } = await client().get<{ id: string }>('/me')
    const idOf = (name: string) => questions.items.find((one) => one.name === name)?.id ?? ''
    const sent = await client().put(`/datasets/${id}/records/bulk`, { items: items(idOf, me.id) })
    expect([sent.status, sent.body]).toEqual([200, sent.body])
    for (const target of [{}, { subset: 'other', split: 'test' }]) {
      const { body: job } = await client().post<Job>(`/datasets/${id}/export`, { name: 'team/pushed', token: TOKEN, ...target })
      expect(await ended(job.id)).toMatchObject({ status: 'finished', reason: null })
    }
    expect(server.printed()).not.toContain(TOKEN)
    const back = await python<{ records: object[]; features: object }>('round_trip.py', 'team/pushed', 'came-back')
    expect(back).toMatchObject(exported)
  })
})

describe("files that the Hub's own library writes", () => {
  detail('are read correctly with any compression', async () => {
    const files = ['plain', 'packed'].map((name) => join(home, `${name}.parquet`))
    const features = await python<{ [column: string]: unknown }>('write_parquet.py', ...files)
    const [text, picture, talk] = spec.fields
    const questions = [
      {
        ...spec.questions[0],
        settings: { type: 'label_selection', options: ['bad', 'good'].map((value) => ({ value, text: value })) },
      },
      { ...spec.questions[1] },
    ]
    const properties = ['day', 'share'].map((name) => ({
      name,
      title: name,
      settings: { type: name === 'day' ? 'terms' : 'float' },
    }))
    for (const [i, path] of files.entries()) {
      hub.put(`team/written-${i}`, [{ subset: 'default', split: 'train', features, files: [await readFile(path)] }])
      const parts = {
        fields: [text, picture, talk].filter((one) => one !== undefined),
        questions,
        'metadata-properties': properties,
      }
      const id = await make(`written-${i}`, parts)
      const same = (...names: readonly string[]) => names.map((name) => ({ source: name, target: name }))
      const mapping = {
        fields: same('text', 'picture', 'talk'),
        suggestions: same('label', 'tags'),
        metadata: same('day', 'share'),
      }
      const body = { name: `team/written-${i}`, subset: 'default', split: 'train', mapping }
      const { body: job } = await client().post<Job>(`/datasets/${id}/import`, body)
      expect(await ended(job.id)).toMatchObject({
        status: 'finished',
        import: { rows: 250, created: 250, updated: 0, failed: 0 },
      })
      const page = `/datasets/${id}/records?limit=1000&include=suggestions`
      const { body: made } = await client().get<{ items: { suggestions: { value: unknown }[] }[] }>(page)
      expect(made.items[101]).toMatchObject({
        external_id: 'train_101',
        fields: {
          text: 'row 101',
          picture: expect.stringMatching(/^data:image\/png;base64,/),
          talk: [{ role: 'user', content: 'hi' }],
        },
        metadata: { day: '2024-01-02', share: 0.5 },
        suggestions: [{ value: 'good' }, { value: ['x', 'y'] }],
      })
      // The class −1 means that the row has no class, so there is no suggestion. An empty list of labels becomes no suggestion
      // either.
      expect(made.items[102]?.suggestions).toEqual([])
    }
  })
})

describe('an import whose process is killed with -9', () => {
  it('continues in the next process without lost or duplicate records', async () => {
    const rows = 3000
    const column = { name: 'text', data: Array.from({ length: rows }, (_, i) => `row ${i}`), type: 'STRING' as const }
    const file = new Uint8Array(parquetWriteBuffer({ columnData: [column], rowGroupSize: 200 }))
    const features = { text: { dtype: 'string', _type: 'Value' } }
    hub.put('team/rows', [{ subset: 'default', split: 'train', features, files: [file] }])
    const id = await make('killed', { fields: spec.fields.slice(0, 1), questions: spec.questions.slice(0, 1) })
    const mapping = { fields: [{ source: 'text', target: 'text' }] }
    const body = { name: 'team/rows', subset: 'default', split: 'train', mapping }
    const { body: job } = await client().post<Job>(`/datasets/${id}/import`, body)
    for (let kills = 0; kills < 2; kills += 1) {
      const before = (await jobOf(job.id)).done
      const goesOn = async () => {
        const { done, status } = await jobOf(job.id)
        // On a slow machine, the import may already be finished.
        return done > before || status === 'finished'
      }
      await expect.poll(goesOn, { timeout: 60_000, interval: 5 }).toBe(true)
      await server.kill()
      server = await start()
    }
    expect(await ended(job.id)).toMatchObject({ status: 'finished', import: { rows, created: rows, updated: 0, failed: 0 } })
    const texts: string[] = []
    for (let offset = 0; offset < rows; offset += 1000) {
      const page = await client().get<{ items: { fields: { text: string } }[] }>(
        `/datasets/${id}/records?limit=1000&offset=${offset}`,
      )
      texts.push(...page.body.items.map(({ fields }) => fields.text))
    }
    expect(texts).toEqual(column.data)
  })
})

describe('an export whose process is killed with -9', () => {
  detail('continues in the next process, and the Hub has every record once', async () => {
    hub.allow(TOKEN, ['team'])
    const rows = 3000
    const id = await make('sent', { fields: spec.fields.slice(0, 1), questions: spec.questions.slice(0, 1) })
    const texts = Array.from({ length: rows }, (_, i) => `row ${i}`)
    for (let from = 0; from < rows; from += 500) {
      const some = texts.slice(from, from + 500).map((text) => ({ external_id: text, fields: { text } }))
      expect((await client().post(`/datasets/${id}/records/bulk`, { items: some })).status).toBe(201)
    }
    // Resolves when the server has sent data to the Hub. The Hub doesn't respond, so the server keeps waiting.
    const isSent = new Promise<void>((sent) => {
      hub.intercept(({ method, url }) => {
        const isHeld = method !== 'GET' && method !== 'HEAD' && /lfs|commit/.test(url.pathname)
        if (isHeld) sent()
        return isHeld
      })
    })
    const { body: job } = await client().post<Job>(`/datasets/${id}/export`, { name: 'team/sent', token: TOKEN })
    await isSent
    await server.kill()
    hub.intercept(null)
    server = await start()
    expect(await ended(job.id)).toMatchObject({ status: 'finished', reason: null, done: rows })
    const repository = hub.repositories.get('team/sent')
    const tables = [...(repository?.files ?? [])].filter(([path]) => path.endsWith('.parquet'))
    const found = await Promise.all(
      tables.map(([, bytes]) => parquetReadObjects({ file: new Uint8Array(bytes).buffer, columns: ['id', 'text'] })),
    )
    expect(found.flat()).toEqual(texts.map((text) => ({ id: text, text })))
    expect(repository?.commits).toHaveLength(1)
  })
})
