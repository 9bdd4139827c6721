import type { AssigneeSummary, RecordAssignments } from '@postil/contract/assignments.ts'
import type { Gold } from '@postil/contract/gold.ts'
import type { History } from '@postil/contract/history.ts'
import { replacedLabels } from '@postil/contract/question-types/label-changes.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Record as RecordPayload } from '@postil/contract/records.ts'
import type { Comparison } from '@postil/contract/review.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import { bootServer } from '@postil/testkit/boot.ts'
import { scaled } from '@postil/testkit/run-size.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { recount } from '#features/records/service.ts'
import type { Store } from '#platform/db/store.ts'
import { datasetNoOf } from '#platform/ids.ts'
import { jobsEnd, openTool } from './testing/jobs-end.ts'
import { activeTimes } from './testing/operations.ts'
import { type Act, createFixture, type PlayFixture, perform, script } from './testing/play.ts'

/** How long to try new sequences on one engine, in milliseconds. */
const BUDGET_MS = scaled(3_000, 60_000)

let server: TestServer
let tool: Store
beforeAll(async () => {
  server = await bootServer()
  tool = await openTool(server)
})
afterAll(async () => {
  await tool.close()
  await server.close()
})

const get = async <T>(path: string, user = server.owner) => (await server.clientFor(user).get<T>(path)).body

const storedRecords = async (dataset: string): Promise<RecordPayload[]> =>
  (await get<{ items: RecordPayload[] }>(`/datasets/${dataset}/records?limit=1000&include=responses`)).items

const none = () => ({ submitted: 0, discarded: 0, draft: 0 })

/** Checks that every count that the server stores agrees with its records and answers. */
const compareAll = async (fixture: PlayFixture): Promise<void> => {
  const { dataset, users } = fixture
  const records = await storedRecords(dataset)
  await compareSearch(fixture, records)
  const { distribution } = await get<{ distribution: { min_submitted: number } }>(`/datasets/${dataset}`)
  const completed = records.filter(
    ({ responses = [] }) => responses.filter(({ status }) => status === 'submitted').length >= distribution.min_submitted,
  )
  expect(records.filter(({ status }) => status === 'completed').map(({ id }) => id)).toEqual(completed.map(({ id }) => id))
  const counts = { total: records.length, completed: completed.length, pending: records.length - completed.length }
  expect(await get(`/datasets/${dataset}/progress`)).toMatchObject(counts)
  const assignees = await compareAssignments(fixture, records)
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
    const ownMetrics = await server.clientFor(user).get(`/me/datasets/${dataset}/metrics`)
    if (ownMetrics.status === 401) expect(answered).toBe(0)
    else {
      const left = records.filter(
        ({ id, status, responses = [] }) =>
          status === 'pending' &&
          responses.every(({ user_id }) => user_id !== user.id) &&
          (assignees.get(id)?.has(user.id) ?? true),
      ).length
      expect(ownMetrics.body).toEqual({
        responses: { total: records.length, ...all, pending: records.length - answered, left },
        stopped: false,
      })
    }
  }
}

/**
 * Checks that every answer's active time is the sum of the times in the requests that took effect, or null if none had a time.
 */
const compareActiveTimes = async ({ users, records, activeMs }: PlayFixture): Promise<void> => {
  for (const { record_id, user_id, active_ms } of await tool.read(activeTimes, {
    dataset_no: datasetNoOf(records[0] as string),
  })) {
    const user = users.findIndex(({ id }) => id === user_id)
    expect(active_ms).toBe(activeMs.get(`${user} ${record_id}`) ?? null)
  }
}

/**
 * Checks that filters, summaries and records agree on who is assigned what.
 * @returns the assignees by record; records without assignees are omitted
 */
const compareAssignments = async (
  { dataset, users }: PlayFixture,
  records: readonly RecordPayload[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  if (records.length === 0) return new Map()
  const path = `/datasets/${dataset}`
  const { items } = await get<{ items: RecordAssignments[] }>(
    `${path}/assignments/records?ids=${records.map(({ id }) => id).join(',')}`,
  )
  const people = new Map(
    items.flatMap((item) => (item.users.length === 0 ? [] : [[item.record_id, new Set(item.users.map(({ id }) => id))]])),
  )
  const idsWhere = (test: (found: ReadonlySet<string>) => boolean) =>
    records
      .map(({ id }) => id)
      .filter((id) => test(people.get(id) ?? new Set()))
      .sort()
  const assignedTo = (value: string) => terms({ entity: 'record', property: 'assigned_to' }, value)
  expect(await found(path, server.owner, assignedTo('none'))).toEqual(idsWhere(({ size }) => size === 0))
  const summaries = (await get<{ items: AssigneeSummary[] }>(`${path}/assignments`)).items
  for (const user of users) {
    const own = idsWhere((assigned) => assigned.has(user.id))
    expect(await found(path, server.owner, assignedTo(user.id))).toEqual(own)
    const answerOf = ({ responses = [] }: RecordPayload) =>
      responses.find(({ user_id }) => user_id === user.id)?.status ?? 'draft'
    const done = records.filter((record) => own.includes(record.id) && answerOf(record) !== 'draft').length
    const remaining = records.filter(
      (record) => own.includes(record.id) && record.status === 'pending' && answerOf(record) === 'draft',
    ).length
    const summary = summaries.find((one) => one.user.id === user.id)
    if (own.length === 0) expect(summary).toBeUndefined()
    else expect(summary).toMatchObject({ assigned: own.length, done, remaining, overdue: 0 })
  }
  return people
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

const byAgreement = { entity: 'record', property: 'agreement', question: 'label' }

/** The IDs that a search finds. Asserts that their number equals the reported total. */
const found = async (path: string, user: { readonly api_key: string }, ...and: readonly Filter[]): Promise<string[]> => {
  const { status, body } = await server
    .clientFor(user)
    .post<{ items: { record: { id: string } }[]; total: number }>(`${path}/records/search?limit=1000`, { filters: { and } })
  expect(status).toBe(200)
  expect(body.total).toBe(body.items.length)
  return body.items.map(({ record }) => record.id).sort()
}

/** Checks that searches by answer find exactly the matching records, for all users together and for each user. */
const compareSearch = async ({ dataset, users }: PlayFixture, records: readonly RecordPayload[]): Promise<void> => {
  type RecordResponses = NonNullable<RecordPayload['responses']>
  const idsWhere = (test: (responses: RecordResponses) => boolean) =>
    records
      .filter(({ responses = [] }) => test(responses))
      .map(({ id }) => id)
      .sort()
  const isAs = (wanted: Answered, responses: RecordResponses) =>
    wanted === 'pending' ? responses.length === 0 : responses.some(({ status }) => status === wanted)
  const { items: questions } = await get<{ items: Question[] }>(`/datasets/${dataset}/questions`)
  const labels = replacedLabels(questions.find(({ name }) => name === 'label')?.settings ?? {})
  const current = (label: string) => labels.get(label) ?? label
  const hasValue = (responses: RecordResponses, question: string, value: unknown) =>
    responses.some(({ values }) => values[question]?.value === value)
  const all = `/datasets/${dataset}`
  for (const status of wantedStatuses) {
    expect(await found(all, server.owner, byStatus(status))).toEqual(idsWhere((responses) => isAs(status, responses)))
  }
  const labelsOf = (responses: RecordResponses) =>
    responses.filter(({ status }) => status === 'submitted').map(({ values }) => values['label']?.value)
  const differing = idsWhere((responses) => new Set(labelsOf(responses)).size > 1)
  expect(await found(all, server.owner, { type: 'range', scope: byAgreement, le: 0.9 })).toEqual(differing)
  const shared = idsWhere((responses) => labelsOf(responses).length > 1)
  expect(await found(all, server.owner, { type: 'range', scope: byAgreement, ge: 0 })).toEqual(shared)
  expect(await found(all, server.owner, byLabel('yes'))).toEqual(
    idsWhere((responses) => hasValue(responses, 'label', current('yes'))),
  )
  expect(await found(all, server.owner, byStars(2))).toEqual(idsWhere((responses) => hasValue(responses, 'stars', 2)))
  for (const user of users) {
    if ((await server.clientFor(user).get('/me')).status !== 200) continue
    const own = (responses: RecordResponses) => responses.filter(({ user_id }) => user_id === user.id)
    for (const status of wantedStatuses) {
      expect(await found(`/me${all}`, user, byStatus(status))).toEqual(idsWhere((responses) => isAs(status, own(responses))))
    }
    const left = [byStatus('pending'), terms({ entity: 'record', property: 'status' }, 'pending')]
    const pending = records.filter(({ status, responses = [] }) => status === 'pending' && own(responses).length === 0)
    expect(await found(`/me${all}`, user, ...left)).toEqual(pending.map(({ id }) => id).sort())
    expect(await found(`/me${all}`, user, byLabel('no'))).toEqual(
      idsWhere((responses) => hasValue(own(responses), 'label', current('no'))),
    )
  }
}

/**
 * Checks that searches by review status find exactly the records whose comparisons show that status, and that the history
 * contains every earlier version of the final answers.
 */
const compareReviews = async ({ dataset }: PlayFixture, records: readonly RecordPayload[]): Promise<void> => {
  const path = `/datasets/${dataset}`
  const byReview = (status: string) => terms({ entity: 'record', property: 'review' }, status)
  const golds = new Map<string, Gold | null>()
  for (const { id } of records) golds.set(id, (await get<Comparison>(`/records/${id}/comparison`)).gold)
  const idsWhere = (test: (gold: Gold | null) => boolean) => [...golds].flatMap(([id, gold]) => (test(gold) ? [id] : [])).sort()
  expect(await found(path, server.owner, byReview('none'))).toEqual(idsWhere((gold) => gold === null))
  expect(await found(path, server.owner, byReview('final'))).toEqual(idsWhere((gold) => gold?.stale === false))
  expect(await found(path, server.owner, byReview('stale'))).toEqual(idsWhere((gold) => gold?.stale === true))
  for (const [id, gold] of golds) {
    if (gold === null) continue
    const { items, total } = await get<History>(`/records/${id}/history?limit=50`)
    if (total > items.length) continue
    const images = items.flatMap((change) =>
      change.subject === 'gold' && change.schema_version === undefined ? [change.before.version] : [],
    )
    expect(images.sort((a, b) => a - b)).toEqual(Array.from({ length: gold.version - 1 }, (_, i) => i + 1))
  }
}

const compareStored = async ({ records }: Pick<PlayFixture, 'records'>): Promise<void> => {
  expect(await recount(server.app.ctx, datasetNoOf(records[0] as string))).toEqual([])
}

const play = async (scenes: readonly (readonly Act[])[]): Promise<void> => {
  const fixture = await createFixture(server)
  for (const scene of scenes) {
    const statuses = (await Promise.all(scene.map((act) => perform(server, fixture, act)))).flat()
    for (const status of statuses) expect(status).toBeLessThan(500)
  }
  await compareStored(fixture)
  await jobsEnd(tool)
  await compareStored(fixture)
  await compareActiveTimes(fixture)
  await compareAll(fixture)
  await compareReviews(fixture, await storedRecords(fixture.dataset))
}

/**
 * Plays sequences for `BUDGET_MS`. If a sequence fails, fast-check gets another `2 * BUDGET_MS` to find a shorter sequence that
 * also fails.
 */
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
  'keeps every number right while several people act at once',
  async () => {
    await fc.assert(fc.asyncProperty(script, playInTime()), { numRuns: 2_000 })
  },
  BUDGET_MS * 6,
)

it('stores one submitted answer per user when 8 users answer a record at once', async () => {
  const workspace_id = (await server.createWorkspace()).id
  const users = await Promise.all(Array.from({ length: 8 }, () => server.createUser({ workspaces: [workspace_id] })))
  const { id } = await server.createDataset({ workspace_id, distribution: { strategy: 'overlap', min_submitted: 8 } })
  const items = [{ fields: { text: 'a' } }, { fields: { text: 'b' } }]
  const { body } = await server
    .clientFor(server.owner)
    .post<{ items: { id: string }[] }>(`/datasets/${id}/records/bulk`, { items })
  const submitted = { status: 'submitted', values: { label: { value: 'yes' } } }
  const answers = await Promise.all(
    users.flatMap((user) =>
      [0, 1].map((_, i) => server.clientFor(user).post(`/records/${body.items[i]?.id}/responses`, submitted)),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
  expect(await get(`/datasets/${id}/progress`)).toMatchObject({ total: 2, completed: 2, pending: 0 })
  await compareStored({ records: body.items.map((record) => record.id) })
})
