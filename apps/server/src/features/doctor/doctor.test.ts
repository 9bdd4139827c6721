import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { runCli } from '#cli/run.ts'
import type { Fixture } from '#features/records/testing/boot.ts'
import { bootFixture } from '#features/records/testing/boot.ts'
import { openStore } from '#platform/db/open.ts'
import type { Store } from '#platform/db/store.ts'
import { datasetNoOf } from '#platform/ids.ts'
import { listDatasets } from './queries.ts'
import { allCorruptions, type Corruption, corrupt } from './testing/operations.ts'

let fixture: Fixture
let tool: Store
let no: number

const addRecords = async (): Promise<void> => {
  const { questions, admin, ann, bob } = fixture
  const values = { label: { value: 'b' }, stars: { value: 2 } }
  const { body } = await fixture.post(
    Array.from({ length: 60 }, (_, i) => ({
      fields: { text: `word${i} common` },
      metadata: { lang: i % 2 === 0 ? 'en' : 'de', size: i, ratio: 0.5 },
      suggestions: [{ question_id: questions.label, value: 'a', agent: `agent${i % 3}`, score: 0.25, type: 'model' }],
      responses: [
        ...(i % 4 === 0 ? [{ user_id: ann.id, status: 'submitted', values }] : []),
        ...(i % 8 === 0 ? [{ user_id: admin.id, status: 'submitted', values: { label: { value: 'a' } } }] : []),
      ],
    })),
  )
  for (const { id } of body.items.slice(0, 9)) {
    const answer = { status: 'draft', values: { label: { value: '1' } } }
    const answered = await fixture.server
      .clientFor(bob)
      .post<{ id: string }>(`/records/${id}/responses`, { ...answer, active_ms: 9_000 })
    await fixture.server.clientFor(bob).put(`/responses/${answered.body.id}`, { ...answer, active_ms: 500 })
  }
  const owner = fixture.server.clientFor(fixture.server.owner)
  const reviewed = await owner.put(`/records/${body.items[0]?.id}/gold`, {
    mutation_id: crypto.randomUUID(),
    base_version: null,
    values: { label: { value: 'b', source: 'adjudicated' } },
  })
  expect(reviewed.status).toBe(200)
  no = datasetNoOf(body.items[0]?.id ?? '')
}

beforeAll(async () => {
  fixture = await bootFixture()
  await addRecords()
  const { dataDir, databaseUrl } = fixture.server.app.ctx.config
  const operations = new URL('./testing/operations.ts', import.meta.url).href
  tool = await openStore({ dataDir, databaseUrl, operations, exclusive: false })
})
afterAll(async () => {
  await tool.close()
  await fixture.close()
})

/** Runs the command line on the server's data while the server runs. */
const postil = async (...args: string[]): Promise<{ code: number; out: string }> => {
  const { dataDir, databaseUrl } = fixture.server.app.ctx.config
  vi.stubEnv('POSTIL_SECRET', 'a secret of the tests, long enough')
  vi.stubEnv('POSTIL_DATA_DIR', dataDir)
  vi.stubEnv('POSTIL_DATABASE_URL', databaseUrl ?? '')
  let out = ''
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    out += String(chunk)
    return true
  })
  try {
    return { code: await runCli(['doctor', ...args]), out }
  } finally {
    spy.mockRestore()
    vi.unstubAllEnvs()
  }
}

const differenceKinds: { readonly [W in Corruption]: readonly string[] } = {
  counter: ['dataset_counts'],
  users: ['user_counts'],
  authors: ['dataset_users'],
  blocks: ['record_blocks'],
  statuses: ['records.status'],
  submitted: ['records.submitted'],
  lost: ['agreement_numbers', 'record_numbers', 'record_terms', 'response_numbers', 'response_terms'],
  added: ['record_numbers', 'record_terms'],
  assignments: ['assignments', 'dataset_state'],
  gold: ['agreement_numbers.reviewed', 'gold', 'gold.answered'],
  extra: ['dataset_counts', 'records.status', 'user_counts'],
  times: ['responses.active_ms'],
  text: ['record_text'],
  next: ['dataset_state'],
}

/** Waits until no dataset is being rebuilt. */
const rebuilt = () =>
  vi.waitFor(
    async () => {
      const datasets = await tool.read(listDatasets, undefined)
      expect(datasets.map(({ rebuilding }) => rebuilding)).toEqual([false])
    },
    { timeout: 20_000, interval: 100 },
  )

describe('postil doctor', () => {
  it('reports that all is well, as text and as JSON', async () => {
    const { code, out } = await postil()
    expect(out).toMatch(
      /^Settings {2}in order\nStore {5}(sqlite|postgres) .+, schema \d{4}-.+\nDataset {3}.+: 60 records, in order\n/,
    )
    expect([code, out.trimEnd().split('\n').at(-1)]).toEqual([0, 'No problems found.'])
    const json = await postil('--json', '--dataset', fixture.dataset)
    expect([json.code, JSON.parse(json.out)]).toEqual([
      0,
      {
        ok: true,
        store: expect.anything(),
        cluster: null,
        datasets: [expect.objectContaining({ id: fixture.dataset, records: 60, differences: [] })],
      },
    ])
  })

  it('reports a wrong counter in one line', async () => {
    await tool.write(corrupt, { dataset_no: no, way: 'counter' })
    const { code, out } = await postil()
    expect(code).toBe(1)
    expect(out).toMatch(/\n {2}dataset_counts of pending: \d+ is stored, 45 is counted\n/)
    const { datasets } = JSON.parse((await postil('--json')).out)
    expect(datasets[0].differences).toEqual([{ what: 'dataset_counts', key: 'pending', stored: expect.anything(), counted: 45 }])
  })

  it('rejects an unknown dataset', async () => {
    const id = '00000000-0000-7000-8000-000000000000'
    const { code, out } = await postil('--json', '--dataset', id)
    expect([code, JSON.parse(out)]).toEqual([1, { ok: false, problem: `There is no dataset with ID '${id}'.` }])
  })
})

describe('postil doctor --rebuild', () => {
  beforeAll(async () => {
    await postil('--rebuild')
    await rebuilt()
  })

  it.each(allCorruptions)('makes a running server repair: %s', async (way) => {
    expect(await fixture.differences()).toEqual([])
    await tool.write(corrupt, { dataset_no: no, way })
    expect([...new Set((await fixture.differences()).map(({ what }) => what))].sort()).toEqual(differenceKinds[way])
    const { code, out } = await postil('--rebuild', '--dataset', fixture.dataset)
    expect([code, out]).toEqual([0, expect.stringContaining('Scheduled to rebuild: 1 dataset.')])
    await rebuilt()
    expect(await fixture.differences()).toEqual([])
  })
})
