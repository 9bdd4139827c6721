import type { Condition } from '@postil/contract/conditions.ts'
import type { ImportFile } from '@postil/contract/files/imports.ts'
import type { Gold } from '@postil/contract/gold.ts'
import type { Job } from '@postil/contract/jobs.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Record as RecordPayload } from '@postil/contract/records.ts'
import type { Response } from '@postil/contract/responses.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { must } from '#features/queue/testing/team.ts'
import { recount } from '#features/records/service.ts'

const options = (...values: readonly string[]) => values.map((value) => ({ value, text: value }))
const negative: Condition = { all: [{ question: 'tone', in: ['negative'] }] }
const questions = [
  { name: 'tone', required: true, settings: { type: 'label_selection', options: options('negative', 'neutral') } },
  {
    name: 'reasons',
    required: true,
    settings: { type: 'multi_label_selection', options: options('price', 'delay') },
    shown_when: negative,
  },
  {
    name: 'stars',
    required: true,
    settings: { type: 'rating', options: [{ value: 1 }, { value: 2 }] },
    shown_when: {
      any: [
        { metadata: 'lang', in: ['de'] },
        { question: 'reasons', in: ['delay'] },
      ],
    },
  },
  { name: 'note', settings: { type: 'text' }, shown_when: { all: [{ question: 'stars', answered: true }] } },
]

let server: TestServer
beforeAll(async () => {
  server = await bootServer()
})
afterAll(async () => {
  expect(await recount(server.app.ctx)).toEqual([])
  await server.close()
})

const hidden = (question: string) => expect.stringContaining(`name=${question} found but the condition of the question hides it`)
const missing = (question: string) => expect.stringContaining(`required question with name=${question}`)

const createTeam = async (langs: readonly (string | null)[], min_submitted = 1, workspace?: string) => {
  const owner = server.clientFor(server.owner)
  const draft = await server.createDataset({
    publish: false,
    questions: [],
    ...(workspace !== undefined && { workspace_id: workspace }),
    distribution: { strategy: 'overlap', min_submitted },
  })
  const path = `/datasets/${draft.id}`
  must(await owner.post(`${path}/metadata-properties`, { name: 'lang', title: 'Language', settings: { type: 'terms' } }))
  for (const question of questions) must(await owner.post(`${path}/questions`, { title: question.name, ...question }))
  must(await owner.put(`${path}/publish`))
  const newUser = () => server.createUser({ workspaces: [draft.workspace_id] })
  const [ann, bob] = [await newUser(), await newUser()]
  const items = langs.map((lang, i) => ({
    external_id: `r${i}`,
    fields: { text: `text ${i}` },
    ...(lang !== null && { metadata: { lang } }),
  }))
  const made =
    items.length === 0 ? { items: [] } : must(await owner.post<{ items: { id: string }[] }>(`${path}/records/bulk`, { items }))
  const as = (user: TestUser) => server.clientFor(user)
  return {
    path,
    workspace_id: draft.workspace_id,
    owner,
    ann,
    bob,
    as,
    ids: made.items.map(({ id }) => id),
    questions: async () => must(await owner.get<{ items: Question[] }>(`${path}/questions`)).items,
    answer: (user: TestUser, record: string | undefined, values: object, status = 'submitted') =>
      as(user).post<Response & { detail: string }>(`/records/${record}/responses`, { status, values }),
    records: async () => must(await owner.get<{ items: RecordPayload[] }>(`${path}/records?include=responses&limit=100`)).items,
    finished: (job: Job): Promise<Job> =>
      vi.waitFor(
        async () => {
          const found = must(await owner.get<Job>(`/jobs/${job.id}`))
          expect(found.status).toBe('finished')
          return found
        },
        { timeout: 30_000, interval: 100 },
      ),
  }
}

const given = (values: { readonly [question: string]: unknown }) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]))
const neutral = given({ tone: 'neutral' })
const delayed = given({ tone: 'negative', reasons: ['delay'], stars: 1, note: 'late' })

/** Answers, each with the fault that the server reports when the answer is submitted for a record without metadata. */
const cases: readonly (readonly [values: object, fault: unknown])[] = [
  [neutral, null],
  [given({ tone: 'negative' }), missing('reasons')],
  [given({ tone: 'negative', reasons: ['price'] }), null],
  [given({ tone: 'negative', reasons: ['price', 'delay'] }), missing('stars')],
  [delayed, null],
  [given({ tone: 'neutral', reasons: ['delay'] }), hidden('reasons')],
  [given({ tone: 'neutral', stars: 1 }), hidden('stars')],
  // A hidden question has no answer, so questions that depend on it are hidden too.
  [given({ tone: 'neutral', note: 'x' }), hidden('note')],
  [given({ tone: 'negative', reasons: ['price'], note: 'x' }), hidden('note')],
]

describe('an answer', () => {
  it('is refused if it has values for hidden questions, and needs values only for shown questions', async () => {
    const team = await createTeam(Array(3 * cases.length).fill(null))
    for (const [i, [values, fault]] of cases.entries()) {
      const sent = await team.answer(team.ann, team.ids[i], values)
      expect([i, sent.status, fault === null ? null : sent.body.detail]).toEqual([i, fault === null ? 201 : 422, fault])
      if (fault !== null) must(await team.answer(team.ann, team.ids[i], values, 'draft'))
      const mine = await team.as(team.bob).put<Response & { detail: string }>(`/records/${team.ids[i]}/responses/mine`, {
        mutation_id: crypto.randomUUID(),
        base_version: null,
        status: 'submitted',
        values,
      })
      expect([i, mine.status]).toEqual([i, fault === null ? 201 : 422])
      if (fault !== null) expect(mine.body.detail).toEqual(fault)
    }
    const items = cases.map(([values], i) => ({
      record_id: team.ids[cases.length + i],
      status: 'submitted',
      values,
    }))
    const bulk = must(
      await team.as(team.ann).post<{ items: { item: unknown; error: { detail: string } | null }[] }>('/me/responses/bulk', {
        items,
      }),
    )
    expect(bulk.items.map(({ error }) => error?.detail ?? null)).toEqual(cases.map(([, fault]) => fault))
  })

  it('keeps values of hidden questions while it is a draft, and follows conditions on metadata', async () => {
    const team = await createTeam(['de', 'en', null])
    const draft = must(
      await team.answer(team.ann, team.ids[0], given({ tone: 'neutral', reasons: ['price'], stars: 2 }), 'draft'),
    )
    expect(draft.values).toEqual(given({ tone: 'neutral', reasons: ['price'], stars: 2 }))
    expect((await team.answer(team.bob, team.ids[0], neutral)).body.detail).toEqual(missing('stars'))
    must(await team.answer(team.bob, team.ids[0], given({ tone: 'neutral', stars: 2, note: 'x' })))
    expect((await team.answer(team.bob, team.ids[1], given({ tone: 'neutral', stars: 2 }))).body.detail).toEqual(hidden('stars'))
    must(await team.answer(team.bob, team.ids[1], neutral))
  })

  it('is checked against the new metadata if it is sent with its record', async () => {
    const team = await createTeam([null])
    const sent = (lang: string | undefined, values: object, id: string = crypto.randomUUID()) =>
      team.owner.put<{ detail: string }>(`${team.path}/records/bulk`, {
        items: [
          {
            external_id: id,
            fields: { text: 'new' },
            ...(lang !== undefined && { metadata: { lang } }),
            responses: [{ user_id: team.ann.id, status: 'submitted', values }],
          },
        ],
      })
    const stars = given({ tone: 'neutral', stars: 1 })
    expect((await sent('en', stars)).body.detail).toEqual(hidden('stars'))
    expect((await sent('de', neutral)).body.detail).toEqual(missing('stars'))
    must(await sent('de', stars, 'one'))
    // The record keeps its metadata.
    must(await sent(undefined, given({ tone: 'neutral', stars: 2 }), 'one'))
    expect((await sent('en', given({ tone: 'neutral', stars: 1 }), 'one')).body.detail).toEqual(hidden('stars'))
    // An unchanged answer is accepted, because some clients read records and send them back.
    must(await sent('en', given({ tone: 'neutral', stars: 2 }), 'one'))
  })

  it('is kept if a condition is set later, and can be sent back unchanged', async () => {
    const team = await createTeam([null])
    const [, reasons, stars] = await team.questions()
    must(await team.owner.patch(`/questions/${stars?.id}`, { shown_when: null }))
    must(await team.owner.patch(`/questions/${reasons?.id}`, { shown_when: null }))
    const all = given({ tone: 'neutral', reasons: ['price'], stars: 1 })
    must(await team.answer(team.ann, team.ids[0], all))
    must(await team.owner.patch(`/questions/${reasons?.id}`, { shown_when: negative }))
    const [record] = await team.records()
    const items = [{ id: record?.id, responses: record?.responses }]
    must(await team.owner.put(`${team.path}/records/bulk`, { items }))
    expect((await team.records())[0]?.responses?.[0]?.values).toEqual(all)
    const changed = [
      { id: record?.id, responses: [{ user_id: team.ann.id, status: 'submitted', values: { ...all, ...given({ stars: 2 }) } }] },
    ]
    expect((await team.owner.put<{ detail: string }>(`${team.path}/records/bulk`, { items: changed })).body.detail).toEqual(
      hidden('reasons'),
    )
  })
})

it('a bulk answer leaves out values of questions that are hidden on a record', async () => {
  const team = await createTeam(['de', 'en', null])
  const body = {
    status: 'submitted',
    values: given({ tone: 'negative', reasons: ['price'], stars: 2, note: 'x' }),
    own: [],
    search: {},
  }
  const job = must(await team.as(team.ann).post<Job>(`/me${team.path}/responses/bulk-jobs`, body))
  await team.finished(job)
  const records = await team.records()
  const price = { tone: 'negative', reasons: ['price'] }
  expect(records.map(({ responses }) => responses?.[0]?.values)).toEqual([
    given({ ...price, stars: 2, note: 'x' }),
    given(price),
    given(price),
  ])
})

it('an imported answer with a value for a hidden question is reported and not stored', async () => {
  const source = await createTeam(['en', 'en'])
  must(await source.answer(source.ann, source.ids[0], given({ tone: 'negative', reasons: ['price'] })))
  const [, reasons] = await source.questions()
  must(await source.owner.patch(`/questions/${reasons?.id}`, { shown_when: null }))
  must(await source.answer(source.ann, source.ids[1], given({ tone: 'neutral', reasons: ['price'] })))
  const download = await fetch(`${server.url}/api/v1${source.path}/records/download?format=jsonl`, {
    headers: { 'x-argilla-api-key': server.owner.api_key },
  })
  const target = await createTeam([], 1, source.workspace_id)
  const file = must(
    await target.owner.post<ImportFile>(
      `${target.path}/imports/files?name=own.jsonl`,
      new Uint8Array(await download.arrayBuffer()),
      {
        'content-type': 'application/octet-stream',
      },
    ),
  )
  const annotators = file.contents?.annotations.map(({ name }) => ({ name, as: 'answers', user_id: source.ann.id }))
  const start = `${target.path}/imports/files/${file.id}/start`
  const job = await target.finished(must(await target.owner.post<Job>(start, { mapping: { ...file.mapping, annotators } })))
  expect(job.import).toMatchObject({ failed: 0, answers: { stored: 1, invalid: 1 } })
  const report = must(await target.owner.get<string>(`${target.path}/imports/files/${file.id}/report?format=jsonl`))
  expect(JSON.stringify(report)).toContain('name=reasons found but the condition of the question hides it')
  const records = await target.records()
  expect(records.map(({ responses }) => responses?.length)).toEqual([1, 0])
})

it('final answers follow the conditions, whether a reviewer or a rule chooses them', async () => {
  const team = await createTeam(['de', null, null, null], 2)
  const [first, second, third, fourth] = team.ids
  const put = (record: string | undefined, values: object, final = true) =>
    team.owner.put<Gold & { detail: string }>(`/records/${record}/gold`, {
      mutation_id: crypto.randomUUID(),
      base_version: null,
      values: Object.fromEntries(
        Object.entries(given(values as { [question: string]: unknown })).map(([name, one]) => [
          name,
          { ...one, source: 'adjudicated' },
        ]),
      ),
      final,
    })
  expect((await put(first, { tone: 'neutral' })).body.detail).toEqual(missing('stars'))
  expect((await put(second, { tone: 'neutral', stars: 1 })).body.detail).toEqual(hidden('stars'))
  expect((await put(second, { tone: 'neutral' })).body).toMatchObject({ final: true })
  // When rules store the final answers, `final` is true although the hidden questions have no value.
  must(await team.owner.put(`${team.path}/review-settings`, { auto: { unanimous: true, majority: null } }))
  for (const user of [team.ann, team.bob]) {
    must(await team.answer(user, third, neutral))
    must(await team.answer(user, fourth, delayed))
  }
  const gold = async (record: string | undefined) =>
    must(await team.owner.get<{ gold: Gold }>(`/records/${record}/comparison`)).gold
  expect(await gold(third)).toMatchObject({ final: true, values: { tone: { value: 'neutral' } } })
  expect(Object.keys((await gold(third)).values)).toEqual(['tone'])
  expect(await gold(fourth)).toMatchObject({ final: true, values: { note: { value: 'late' } } })
})
