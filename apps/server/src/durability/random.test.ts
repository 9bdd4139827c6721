import type { Record as RecordPayload } from '@postil/contract/records.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import { bootServer } from '@postil/testkit/boot.ts'
import { sized } from '@postil/testkit/size.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { recount } from '#features/records/service.ts'
import { datasetNoOf } from '#platform/ids.ts'
import { type Act, perform, type Stage, script, setStage } from './testing/play.ts'

/** How long new sequences are tried on one engine. */
const BUDGET_MS = sized(8_000, 60_000)

let server: TestServer
beforeAll(async () => {
  server = await bootServer()
})
afterAll(() => server.close())

const get = async <T>(path: string, user = server.owner) => (await server.as(user).get<T>(path)).body

const storedRecords = async (dataset: string): Promise<RecordPayload[]> =>
  (await get<{ items: RecordPayload[] }>(`/datasets/${dataset}/records?limit=1000&include=responses`)).items

const none = () => ({ submitted: 0, discarded: 0, draft: 0 })

/** Compares every number that the server keeps with what its records and answers say. */
const compareAll = async (stage: Stage): Promise<void> => {
  const { dataset, users } = stage
  const records = await storedRecords(dataset)
  await compareSearch(stage, records)
  const { distribution } = await get<{ distribution: { min_submitted: number } }>(`/datasets/${dataset}`)
  const completed = records.filter(
    ({ responses = [] }) => responses.filter(({ status }) => status === 'submitted').length >= distribution.min_submitted,
  )
  expect(records.filter(({ status }) => status === 'completed').map(({ id }) => id)).toEqual(completed.map(({ id }) => id))
  const counts = { total: records.length, completed: completed.length, pending: records.length - completed.length }
  expect(await get(`/datasets/${dataset}/progress`)).toMatchObject(counts)
  const perUser = await get<{ users: { username: string }[] }>(`/datasets/${dataset}/users/progress`)
  for (const user of users) {
    const own = { completed: none(), pending: none() }
    const all = none()
    for (const { status, responses = [] } of records) {
      for (const response of responses.filter(({ user_id }) => user_id === user.id)) {
        own[status][response.status] += 1
        all[response.status] += 1
      }
    }
    const answered = all.submitted + all.discarded + all.draft
    const shown = perUser.users.find(({ username }) => username === user.username)
    expect(shown).toEqual(answered === 0 ? undefined : { username: user.username, ...own })
    const mine = await server.as(user).get(`/me/datasets/${dataset}/metrics`)
    if (mine.status === 401) expect(answered).toBe(0)
    else {
      const left = counts.pending - own.pending.submitted - own.pending.discarded - own.pending.draft
      expect(mine.body).toEqual({ responses: { total: records.length, ...all, pending: records.length - answered, left } })
    }
  }
}

type Answered = (typeof wantedStatuses)[number]
const wantedStatuses = ['pending', 'draft', 'submitted', 'discarded'] as const
type Filter = { readonly [key: string]: unknown }
const terms = (scope: Filter, value: string): Filter => ({ type: 'terms', scope, values: [value] })
const byStatus = (status: string) => terms({ entity: 'response', property: 'status' }, status)
const byLabel = (label: string) => terms({ entity: 'response', question: 'label' }, label)
const byStars = (stars: number): Filter => ({
  type: 'range',
  scope: { entity: 'response', question: 'stars' },
  ge: stars,
  le: stars,
})

/** What a search finds, of all that it finds: the same number that it says. */
const found = async (path: string, user: { readonly api_key: string }, ...and: readonly Filter[]): Promise<string[]> => {
  const { status, body } = await server
    .as(user)
    .post<{ items: { record: { id: string } }[]; total: number }>(`${path}/records/search?limit=1000`, { filters: { and } })
  expect(status).toBe(200)
  expect(body.total).toBe(body.items.length)
  return body.items.map(({ record }) => record.id).sort()
}

/** Searches by answers find what the records say, for everyone and for each. */
const compareSearch = async ({ dataset, users }: Stage, records: readonly RecordPayload[]): Promise<void> => {
  type Given = NonNullable<RecordPayload['responses']>
  const idsWhere = (test: (responses: Given) => boolean) =>
    records
      .filter(({ responses = [] }) => test(responses))
      .map(({ id }) => id)
      .sort()
  const isAs = (wanted: Answered, responses: Given) =>
    wanted === 'pending' ? responses.length === 0 : responses.some(({ status }) => status === wanted)
  const hasValue = (responses: Given, question: string, value: unknown) =>
    responses.some(({ values }) => values[question]?.value === value)
  const all = `/datasets/${dataset}`
  for (const status of wantedStatuses) {
    expect(await found(all, server.owner, byStatus(status))).toEqual(idsWhere((responses) => isAs(status, responses)))
  }
  expect(await found(all, server.owner, byLabel('yes'))).toEqual(idsWhere((responses) => hasValue(responses, 'label', 'yes')))
  expect(await found(all, server.owner, byStars(2))).toEqual(idsWhere((responses) => hasValue(responses, 'stars', 2)))
  for (const user of users) {
    if ((await server.as(user).get('/me')).status !== 200) continue
    const own = (responses: Given) => responses.filter(({ user_id }) => user_id === user.id)
    for (const status of wantedStatuses) {
      expect(await found(`/me${all}`, user, byStatus(status))).toEqual(idsWhere((responses) => isAs(status, own(responses))))
    }
    const left = [byStatus('pending'), terms({ entity: 'record', property: 'status' }, 'pending')]
    const pending = records.filter(({ status, responses = [] }) => status === 'pending' && own(responses).length === 0)
    expect(await found(`/me${all}`, user, ...left)).toEqual(pending.map(({ id }) => id).sort())
    expect(await found(`/me${all}`, user, byLabel('no'))).toEqual(
      idsWhere((responses) => hasValue(own(responses), 'label', 'no')),
    )
  }
}

const compareKept = async ({ records }: Stage): Promise<void> => {
  expect(await recount(server.app.ctx, datasetNoOf(records[0] as string))).toEqual([])
}

const play = async (scenes: readonly (readonly Act[])[]): Promise<void> => {
  const stage = await setStage(server)
  for (const scene of scenes) {
    const statuses = (await Promise.all(scene.map((act) => perform(server, stage, act)))).flat()
    for (const status of statuses) expect(status).toBeLessThan(500)
  }
  await compareKept(stage)
  await compareAll(stage)
}

/** Plays until the time is over; a sequence that fails gets twice as much to be made short. */
const playInTime = () => {
  const end = performance.now() + BUDGET_MS
  let failed = false
  return async (scenes: readonly (readonly Act[])[]): Promise<void> => {
    if (performance.now() > (failed ? end + 2 * BUDGET_MS : end)) return
    try {
      await play(scenes)
    } catch (error) {
      failed = true
      throw error
    }
  }
}

it(
  'keeps every number right, whatever several people do at the same time',
  async () => {
    await fc.assert(fc.asyncProperty(script, playInTime()), { numRuns: 2_000 })
  },
  BUDGET_MS * 6,
)

it('keeps one submitted answer of each of 8 users to one record, sent at once', async () => {
  const workspace_id = (await server.createWorkspace()).id
  const users = await Promise.all(Array.from({ length: 8 }, () => server.createUser({ workspaces: [workspace_id] })))
  const { id } = await server.createDataset({ workspace_id, distribution: { strategy: 'overlap', min_submitted: 8 } })
  const items = [{ fields: { text: 'a' } }, { fields: { text: 'b' } }]
  const { body } = await server.as(server.owner).post<{ items: { id: string }[] }>(`/datasets/${id}/records/bulk`, { items })
  const submitted = { status: 'submitted', values: { label: { value: 'yes' } } }
  const answers = await Promise.all(
    users.flatMap((user) => [0, 1].map((_, i) => server.as(user).post(`/records/${body.items[i]?.id}/responses`, submitted))),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
  expect(await get(`/datasets/${id}/progress`)).toMatchObject({ total: 2, completed: 2, pending: 0 })
  await compareKept({ dataset: id, users, records: body.items.map((record) => record.id), ids: new Map() })
})
