import type { Job } from '@postil/contract/jobs.ts'
import type { NoteGroups } from '@postil/contract/notes.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Record as RecordPayload } from '@postil/contract/records.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bulkAnswer } from '#features/bulk-answers/job.ts'
import { bootIdleServer, type IdleServer } from '#features/jobs/testing/idle-server.ts'
import { must } from '#features/queue/testing/team.ts'
import { recount } from '#features/records/service.ts'
import { takeJobs } from '#platform/jobs/operations.ts'
import { wilsonInterval } from '#platform/wilson.ts'

let idle: IdleServer
beforeAll(async () => {
  idle = await bootIdleServer(new URL('../jobs/testing/operations.ts', import.meta.url))
})
afterAll(async () => {
  expect(await recount(idle.server.app.ctx)).toEqual([])
  await idle.close()
})

const options = ['good', 'bad'].map((value) => ({ value, text: value.toUpperCase() }))
const questions = [
  { name: 'label', required: true, settings: { type: 'label_selection', options } },
  { name: 'tags', settings: { type: 'multi_label_selection', options } },
  { name: 'no_50% "te"', settings: { type: 'text', codes: true } },
  { name: 'other', settings: { type: 'text' } },
]
const name = 'no_50% "te"'

const meanings = [
  [1, 0, 0],
  [0, 2, 0.1],
  [0.9, 0.1, 0],
  [0, 1, 0],
]

const HOLD = 60_000_000
const finish = async (): Promise<void> => {
  const { store } = idle.server.app.ctx
  const [job] = await store.write(takeJobs, { kinds: [bulkAnswer.kind], limit: 1, hold: HOLD })
  if (job === undefined) throw new Error('there is no job')
  let { until } = job
  for (;;) {
    const result = await store.write(bulkAnswer.step, { id: job.id, until, hold: HOLD })
    if (result.state !== 'started') break
    until = result.until
  }
}

const createNotes = async (records: number, vectors: readonly (readonly number[])[] = []) => {
  const { server } = idle
  const { id: dataset, workspace_id } = await server.createDataset({
    questions,
    distribution: { strategy: 'overlap', min_submitted: 2 },
    ...(vectors.length > 0 && { vectors_settings: [{ name: 'meaning', title: 'Meaning', dimensions: 3 }] }),
  })
  const [ann, lead] = [
    await server.createUser({ workspaces: [workspace_id] }),
    await server.createUser({ workspaces: [workspace_id], role: 'admin' }),
  ]
  const owner = server.clientFor(server.owner)
  const items = Array.from({ length: records }, (_, i) => ({
    fields: { text: `text ${i}` },
    ...(vectors[i] && { vectors: { meaning: vectors[i] } }),
  }))
  const made = must(await owner.post<{ items: { id: string }[] }>(`/datasets/${dataset}/records/bulk`, { items }))
  const ids = made.items.map(({ id }) => id)
  const as = (user: TestUser) => server.clientFor(user)
  const path = `/datasets/${dataset}/notes?question=${encodeURIComponent(name)}`
  return {
    ...{ dataset, ann, lead, ids, as },
    answer: async (user: TestUser, record: number, note: string | null, more: object = {}, status = 'submitted') =>
      must(
        await as(user).post(`/records/${ids[record]}/responses`, {
          status,
          values: { label: { value: 'good' }, ...(note !== null && { [name]: { value: note } }), ...more },
        }),
      ),
    groups: async (query = '') => must(await as(lead).get<NoteGroups>(`${path}${query}`)),
    label: (body: object) =>
      as(lead).post<Job & { detail: string }>(`/me/datasets/${dataset}/notes/label`, { question: name, ...body }),
    answers: async (user: TestUser) => {
      const all = must(await owner.get<{ items: RecordPayload[] }>(`/datasets/${dataset}/records?include=responses&limit=1000`))
      return ids.map((id) => {
        const found = all.items.find((record) => record.id === id)?.responses?.find(({ user_id }) => user_id === user.id)
        return found === undefined ? null : { status: found.status, values: found.values }
      })
    },
  }
}

it('groups similar notes of submitted answers, and reports their share of the answered records', async () => {
  const { ann, lead, answer, groups, ids } = await createNotes(6)
  await answer(ann, 0, 'arrived late')
  await answer(ann, 1, 'Late: arrived!')
  await answer(lead, 1, 'arrived late')
  await answer(ann, 2, 'wrong colour', { other: { value: 'arrived late' } })
  await answer(ann, 3, ' ')
  await answer(ann, 4, null)
  await answer(ann, 5, 'arrived late', {}, 'draft')
  const found = await groups()
  expect(found).toMatchObject({ total: 2, notes: 4, records: 3, answered: 5, targets: ['label', 'tags'], limited: false })
  expect(found.items[0]).toMatchObject({
    text: 'arrived late',
    notes: 3,
    records: 2,
    share: { value: 0.4, ...wilsonInterval(2, 5) },
    examples: [{ text: 'arrived late', record_id: ids[0] }],
  })
  expect((await groups('&text=colo')).items.map(({ text }) => text)).toEqual(['wrong colour'])
  expect((await groups('&text=late%20colour')).total).toBe(0)
  expect((await groups('&offset=1&limit=1')).items.map(({ text }) => text)).toEqual(['wrong colour'])
})

it('groups notes about records with similar vectors, and labels the records of such a group', async () => {
  const { lead, answer, groups, label, answers, as, dataset } = await createNotes(5, meanings)
  for (const [i, note] of ['late', 'red', 'slow delivery', 'wrong colour', 'no vector'].entries()) await answer(lead, i, note)
  expect((await groups()).items).toHaveLength(5)
  const found = await groups('&vector=meaning')
  expect(found).toMatchObject({ notes: 5, records: 5, vectors: [{ name: 'meaning', title: 'Meaning' }] })
  expect(found.items.map(({ records }) => records)).toEqual([2, 2, 1])
  const slow = found.items.find(({ examples }) => examples.some(({ text }) => text === 'late'))
  expect(slow?.examples.map(({ text }) => text).sort()).toEqual(['late', 'slow delivery'])
  const body = { groups: [slow?.key], label: { question: 'tags', value: 'bad' }, status: 'submitted' }
  expect((await label(body)).status).toBe(422)
  must(await label({ ...body, vector: 'meaning' }))
  await finish()
  expect((await answers(lead)).map((found) => found?.values['tags']?.value ?? null)).toEqual([['bad'], null, ['bad'], null, null])
  expect((await as(lead).get(`/datasets/${dataset}/notes?question=${encodeURIComponent(name)}&vector=missing`)).status).toBe(404)
})

it('adds a label to the caller’s answers, keeps their other values, and can be undone', async () => {
  const { ann, lead, answer, groups, label, answers, as, dataset } = await createNotes(4)
  await answer(ann, 0, 'late')
  await answer(lead, 1, 'late', { tags: { value: ['good'] } })
  await answer(lead, 2, 'damaged')
  await answer(lead, 3, 'late', {}, 'draft')
  const { items } = await groups()
  const keys = items.filter(({ text }) => text === 'late').map(({ key }) => key)
  const job = must(await label({ groups: keys, label: { question: 'tags', value: 'bad' } }))
  expect(job.total).toBe(2)
  await finish()
  const note = { [name]: { value: 'late' } }
  expect(await answers(lead)).toEqual([
    { status: 'draft', values: { tags: { value: ['bad'] } } },
    { status: 'submitted', values: { label: { value: 'good' }, tags: { value: ['good', 'bad'] }, ...note } },
    expect.objectContaining({ status: 'submitted', values: { label: { value: 'good' }, [name]: { value: 'damaged' } } }),
    expect.objectContaining({ status: 'draft' }),
  ])
  expect((await answers(ann))[0]).toMatchObject({ values: note })
  must(await as(lead).post(`/me/datasets/${dataset}/responses/bulk-jobs/${job.id}/undo`))
  await finish()
  expect(await answers(lead)).toMatchObject([null, { values: { tags: { value: ['good'] } } }, {}, {}])
  must(await label({ groups: items.map(({ key }) => key), label: { question: 'label', value: 'bad' }, status: 'submitted' }))
  await finish()
  expect((await answers(lead)).map((found) => found?.values['label']?.value)).toEqual(['bad', 'bad', 'bad', 'good'])
})

it('refuses questions without notes, labels that are not offered and groups that no longer exist', async () => {
  const { ann, answer, groups, label, as, lead, dataset } = await createNotes(1)
  await answer(ann, 0, 'late')
  const { items } = await groups()
  const keys = items.map(({ key }) => key)
  const get = (question: string) => as(lead).get<{ detail: string }>(`/datasets/${dataset}/notes?question=${question}`)
  expect(await get('other')).toMatchObject({ status: 422, body: { detail: expect.stringContaining('does not collect notes') } })
  expect((await get('missing')).status).toBe(404)
  for (const bad of [
    { question: 'tags', value: 'unknown' },
    { question: 'other', value: 'good' },
  ])
    expect(await label({ groups: keys, label: bad })).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('Notes cannot become label') },
    })
  expect((await label({ groups: keys, label: { question: 'missing', value: 'good' } })).status).toBe(404)
  expect(await label({ groups: ['gone'], label: { question: 'tags', value: 'good' } })).toMatchObject({
    status: 422,
    body: { detail: expect.stringContaining('The notes have changed') },
  })
  expect((await as(ann).get(`/datasets/${dataset}/notes?question=x`)).status).toBe(403)
})

it('keeps the setting when a client that does not know it changes the question', async () => {
  const { lead, as, dataset } = await createNotes(1)
  const list = async () => must(await as(lead).get<{ items: Question[] }>(`/datasets/${dataset}/questions`)).items
  const question = (await list()).find((one) => one.name === name)
  expect(question?.settings).toEqual({ type: 'text', use_markdown: false, codes: true })
  must(await as(lead).patch(`/questions/${question?.id}`, { title: 'T', settings: { type: 'text', use_markdown: true } }))
  expect((await list()).find((one) => one.name === name)?.settings).toEqual({ type: 'text', use_markdown: true, codes: true })
  must(await as(lead).patch(`/questions/${question?.id}`, { settings: { type: 'text', codes: false } }))
  expect((await list()).find((one) => one.name === name)?.settings).toMatchObject({ codes: false })
})
