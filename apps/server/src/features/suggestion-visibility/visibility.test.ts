import { createHash } from 'node:crypto'
import type { Insights } from '@postil/contract/insights.ts'
import type { Job } from '@postil/contract/jobs.ts'
import type { Record as WireRecord } from '@postil/contract/records.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import { bootServer } from '@postil/testkit/boot.ts'
import { detail } from '@postil/testkit/detail.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

const RECORDS = 60
const SHARE = 0.4

let server: TestServer
let workspace: string
let ann: TestUser
let bob: TestUser
let admin: TestUser
let dataset: string
let question: string
let records: readonly string[]
const as = (user: TestUser) => server.clientFor(user)

beforeAll(async () => {
  server = await bootServer()
  workspace = (await server.createWorkspace()).id
  const member = (role: 'annotator' | 'admin') => server.createUser({ role, workspaces: [workspace] })
  ;[ann, bob, admin] = [await member('annotator'), await member('annotator'), await member('admin')]
})
afterAll(() => server.close())

/** The suggestion for each record, by its position. */
const suggestedAt = (at: number): string => (at % 2 === 0 ? 'a' : 'b')

beforeEach(async () => {
  const made = await server.createDataset({
    workspace_id: workspace,
    distribution: { strategy: 'overlap', min_submitted: 3 },
    questions: [
      {
        name: 'label',
        required: true,
        settings: { type: 'label_selection', options: ['a', 'b'].map((value) => ({ value, text: value })) },
      },
    ],
  })
  dataset = made.id
  const { body } = await as(admin).get<{ items: { id: string }[] }>(`/datasets/${dataset}/questions`)
  question = body.items[0]?.id ?? ''
  const items = Array.from({ length: RECORDS }, (_, at) => ({
    fields: { text: `text ${at}` },
    suggestions: [{ question_id: question, value: suggestedAt(at), agent: 'm', score: at / RECORDS }],
  }))
  const created = await as(admin).post<{ items: { id: string }[] }>(`/datasets/${dataset}/records/bulk`, { items })
  records = created.body.items.map(({ id }) => id)
})

const set = async (body: { show?: string; blind_share?: number }) =>
  expect((await as(admin).put(`/datasets/${dataset}/suggestion-settings`, body)).status).toBe(200)

/**
 * The published rule: suggestions are hidden if the first 32 bits of SHA-256 of both IDs, divided by 2³², are below the share.
 */
const isBlindFor = (user: TestUser, record: string): boolean =>
  createHash('sha256').update(`${record} ${user.id}`).digest().readUInt32BE(0) / 2 ** 32 < SHARE

const withSuggestions = (found: readonly WireRecord[]): readonly string[] =>
  found.filter(({ suggestions }) => (suggestions ?? []).length > 0).map(({ id }) => id)

/** Reads all records through each route that shows records to the user. @returns the records with suggestions, by route */
const seenBy = async (user: TestUser): Promise<readonly (readonly string[])[]> => {
  const found = await as(user).post<{ items: { record: WireRecord }[] }>(
    `/me/datasets/${dataset}/records/search?include=suggestions&limit=1000`,
    {},
  )
  const queue = await as(user).post<{ items: { record: WireRecord }[] }>(`/me/datasets/${dataset}/queue`, {
    limit: RECORDS,
    purpose: 'view',
  })
  const single: WireRecord[] = []
  const listed: string[] = []
  for (const id of records) {
    single.push((await as(user).get<WireRecord>(`/records/${id}`)).body)
    const { body } = await as(user).get<{ items: unknown[] }>(`/records/${id}/suggestions`)
    if (body.items.length > 0) listed.push(id)
  }
  const leased = queue.body.items.map(({ record }) => record)
  return [
    withSuggestions(found.body.items.map(({ record }) => record)),
    withSuggestions(single),
    listed,
    [...withSuggestions(leased), ...records.filter((id) => leased.every((one) => one.id !== id))],
  ].map((ids) => [...ids].sort())
}
const expectSeen = async (user: TestUser, wanted: readonly string[]) => {
  const [search, single, listed, queue = []] = await seenBy(user)
  const sorted = [...wanted].sort()
  expect(search).toEqual(sorted)
  expect(single).toEqual(sorted)
  expect(listed).toEqual(sorted)
  // The queue may not contain every record
  expect(queue.filter((id) => !sorted.includes(id) && !answered.has(id))).toEqual([])
}
const answered = new Set<string>()
beforeEach(() => answered.clear())

const answer = async (user: TestUser, record: string, value: string, more: object = {}) => {
  const body = { status: 'submitted', values: { label: { value } }, ...more }
  answered.add(record)
  const { status } = await as(user).put(`/records/${record}/responses/mine`, {
    mutation_id: crypto.randomUUID(),
    base_version: null,
    ...body,
  })
  expect(status).toBeLessThan(300)
}
const insights = async () => (await server.clientFor(server.owner).get<Insights>(`/datasets/${dataset}/insights?fresh=true`)).body

describe('suggestions', () => {
  it('are shown to annotators by default', async () => {
    expect((await as(ann).get(`/datasets/${dataset}/suggestion-settings`)).body).toEqual({ show: 'always', blind_share: 0 })
    await expectSeen(ann, records)
  })

  it('are never shown to annotators if the settings say so, but to leads', async () => {
    await set({ show: 'never' })
    await expectSeen(ann, [])
    await expectSeen(admin, records)
  })

  it('are shown after an answer was submitted, and stay shown while it is edited', async () => {
    await set({ show: 'after_answer' })
    const [first = '', second = '', third = ''] = records
    await answer(ann, first, 'a')
    await answer(ann, second, 'a', { status: 'draft' })
    await answer(ann, third, 'a')
    await answer(ann, third, 'b', { status: 'draft', base_version: 1 })
    await expectSeen(ann, [first, third])
    await expectSeen(bob, [])
  })

  detail('are hidden on a share of records that is different for each annotator and never changes', async () => {
    await set({ blind_share: SHARE })
    for (const user of [ann, bob]) {
      const shown = records.filter((id) => !isBlindFor(user, id))
      expect(shown.length).toBeGreaterThan(RECORDS / 4)
      expect(shown.length).toBeLessThan(RECORDS)
      await expectSeen(user, shown)
      await expectSeen(user, shown)
    }
    expect(records.some((id) => isBlindFor(ann, id) !== isBlindFor(bob, id))).toBe(true)
    await expectSeen(admin, records)
  })

  it('that are hidden stay hidden after an answer', async () => {
    await set({ show: 'after_answer', blind_share: SHARE })
    for (const id of records.slice(0, 20)) await answer(ann, id, 'a')
    await expectSeen(
      ann,
      records.slice(0, 20).filter((id) => !isBlindFor(ann, id)),
    )
  })

  it('cannot be found out by searches, metrics or saved views', async () => {
    const path = `/me/datasets/${dataset}/records/search`
    const scope = { entity: 'suggestion', question: 'label', property: 'value' }
    const compared = { entity: 'response', question: 'label', compared_with: 'suggestion' }
    const searches = [
      { filters: { and: [{ type: 'terms', scope, values: ['a'] }] } },
      { filters: { and: [{ type: 'terms', scope: compared, values: ['same'] }] } },
      { sort: [{ scope: { ...scope, property: 'score' }, order: 'asc' }] },
    ]
    const view = { name: 'Suggested', query: 'suggestion=label.value.a', shared: true }
    expect((await as(admin).post(`/datasets/${dataset}/views`, view)).status).toBe(201)
    const views = async () => (await as(ann).get<{ items: unknown[] }>(`/datasets/${dataset}/views`)).body.items
    const metrics = `/questions/${question}/suggestions/metrics`
    for (const body of searches) expect((await as(ann).post(path, body)).status).toBe(200)
    expect((await as(ann).get(metrics)).status).toBe(200)
    expect(await views()).toHaveLength(1)
    await set({ blind_share: 0.01 })
    for (const body of searches) {
      expect(await as(ann).post(path, body)).toMatchObject({
        status: 422,
        body: { detail: expect.stringContaining('hidden from annotators') },
      })
      expect((await as(admin).post(path, body)).status).toBe(200)
    }
    expect((await as(ann).get(metrics)).status).toBe(403)
    expect(await views()).toEqual([])
    // Even if suggestions are hidden, the queue can be ordered by them.
    const order = [{ scope: { ...scope, property: 'score' }, order: 'desc' }]
    expect((await as(admin).put(`/datasets/${dataset}/queue-settings`, { order })).status).toBe(200)
    const { body } = await as(ann).post<{ items: { record: WireRecord }[] }>(`/me/datasets/${dataset}/queue`, { limit: 1 })
    expect(body.items[0]?.record.id).toBe(records.at(-1))
  })

  it('are not accepted in bulk if they are hidden', async () => {
    await set({ blind_share: SHARE })
    const body = { search: {}, status: 'submitted', values: {}, own_questions: ['label'] }
    const { body: started } = await as(ann).post<Job>(`/me/datasets/${dataset}/responses/bulk-jobs`, body)
    await vi.waitFor(async () => expect((await as(ann).get<Job>(`/jobs/${started.id}`)).body.status).toBe('finished'), {
      timeout: 20_000,
      interval: 100,
    })
    const { body: found } = await as(ann).post<{ items: { record: WireRecord }[] }>(
      `/me/datasets/${dataset}/records/search?include=responses&limit=1000`,
      {},
    )
    for (const { record } of found.items) expect(record.responses).toHaveLength(isBlindFor(ann, record.id) ? 0 : 1)
  })
})

describe('answers', () => {
  it('to hidden suggestions are not counted as accepted or changed', async () => {
    await set({ show: 'never' })
    await answer(ann, records[0] ?? '', 'a')
    await answer(admin, records[1] ?? '', 'b')
    const { suggestions, influence } = await insights()
    expect(suggestions).toMatchObject([{ shown: 1, accepted: 1, changed: 0, not_shown: 1 }])
    expect(influence).toEqual([])
  })

  it('that are edited after the suggestion was revealed count as shown', async () => {
    await set({ show: 'after_answer' })
    await answer(ann, records[0] ?? '', 'b')
    expect((await insights()).suggestions).toMatchObject([{ shown: 0, not_shown: 1 }])
    await answer(ann, records[0] ?? '', 'a', { base_version: 1 })
    expect((await insights()).suggestions).toMatchObject([{ shown: 1, accepted: 1, not_shown: 0 }])
    // An admin's change says nothing about what the author saw
    await set({ show: 'never' })
    await answer(ann, records[1] ?? '', 'b')
    const { body } = await as(admin).get<WireRecord>(`/records/${records[1]}`)
    await as(admin).put(`/responses/${body.responses?.[0]?.id}`, { status: 'submitted', values: { label: { value: 'a' } } })
    expect((await insights()).suggestions).toMatchObject([{ shown: 1, not_shown: 1 }])
  })

  /**
   * Ann confirms the suggestions that she sees, except on every fifth record. On these records, and on records on which she sees
   * no suggestions, she answers `a`. @returns the counts
   */
  const answerAll = async () => {
    const groups = { shown: { answers: 0, equal: 0 }, blind: { answers: 0, equal: 0 } }
    for (const [at, id] of records.entries()) {
      const isBlind = isBlindFor(ann, id)
      const value = isBlind || at % 5 === 0 ? 'a' : suggestedAt(at)
      const isEqual = value === suggestedAt(at)
      const outcome = isEqual ? 'confirmed' : 'changed'
      await answer(ann, id, value, isBlind ? {} : { suggestion_outcomes: { label: { outcome, agent: 'm' } } })
      const group = groups[isBlind ? 'blind' : 'shown']
      group.answers += 1
      if (isEqual) group.equal += 1
    }
    return groups
  }

  detail('show how much suggestions influence them', async () => {
    await set({ blind_share: SHARE })
    const groups = await answerAll()
    for (const id of records.slice(0, 9)) await answer(bob, id, 'a')
    const { influence } = await insights()
    const [found] = influence
    const ofAnn = found?.people.find(({ user_id }) => user_id === ann.id)
    expect(ofAnn).toMatchObject(groups)
    const value = groups.shown.equal / groups.shown.answers - groups.blind.equal / groups.blind.answers
    expect(ofAnn?.difference?.value).toBeCloseTo(value, 12)
    expect(ofAnn?.difference?.low).toBeLessThan(value)
    expect(ofAnn?.difference?.high).toBeGreaterThan(value)
    // Bob has too few answers to compute a difference. His answers to records with visible suggestions don't count, because they
    // contain no suggestion outcomes.
    const ofBob = found?.people.find(({ user_id }) => user_id === bob.id)
    const blindOfBob = records.slice(0, 9).filter((id) => isBlindFor(bob, id)).length
    expect(ofBob).toMatchObject({ shown: { answers: 0 }, blind: { answers: blindOfBob }, difference: null })
    // If a suggestion is replaced after an answer was given, the new suggestion isn't what the author saw.
    for (const id of records) {
      const suggestion = { question_id: question, value: 'b', agent: 'other' }
      await as(admin).put(`/records/${id}/suggestions`, suggestion)
    }
    expect((await insights()).influence).toEqual([])
  })
})
