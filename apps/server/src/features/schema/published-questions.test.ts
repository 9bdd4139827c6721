import { neverShown } from '@postil/contract/conditions.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Record as RecordPayload } from '@postil/contract/records.ts'
import type { Response } from '@postil/contract/responses.ts'
import type { SchemaVersion } from '@postil/contract/schema-versions.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Client } from '@postil/testkit/client.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { must } from '#features/queue/testing/team.ts'
import { recount } from '#features/records/service.ts'

let server: TestServer
let owner: Client
beforeAll(async () => {
  server = await bootServer()
  owner = server.clientFor(server.owner)
})
afterAll(async () => {
  expect(await recount(server.app.ctx)).toEqual([])
  await server.close()
})

const options = ['yes', 'no'].map((value) => ({ value, text: value }))
const label = { name: 'label', required: true, settings: { type: 'label_selection', options } }
const tone = { name: 'tone', title: 'Tone', settings: { type: 'label_selection', options } }

/** A published dataset with two records, the first of which has an answer. */
const createAnswered = async (questions: readonly object[] = [label]) => {
  const { id } = await server.createDataset({ questions: [...questions] as never })
  const path = `/datasets/${id}`
  const items = ['one', 'two'].map((text) => ({ fields: { text } }))
  const records = must(await owner.post<{ items: RecordPayload[] }>(`${path}/records/bulk`, { items })).items
  const answer = (i: number, values: object) =>
    owner.post<Response & { detail: string }>(`/records/${records[i]?.id}/responses`, { status: 'submitted', values })
  const first = must(await answer(0, { label: { value: 'yes' } }))
  const listed = async () => must(await owner.get<{ items: Question[] }>(`${path}/questions`)).items
  const versions = async () => must(await owner.get<{ items: SchemaVersion[] }>(`${path}/schema-versions`)).items
  const found = async (query: object) =>
    must(await owner.post<{ total: number }>(`/me${path}/records/search`, { query: {}, filters: { type: 'and', and: [query] } }))
      .total
  const change = (response: Response, values: object) =>
    owner.put<Response & { detail: string }>(`/responses/${response.id}`, { status: 'submitted', values })
  return { path, answer, first, listed, versions, found, change }
}

const valueIs = (question: string, value: string) => ({
  type: 'terms',
  scope: { entity: 'response', question },
  values: [value],
})

it('adds an optional question to a published dataset, keeps its answers, and retires the question on a revert', async () => {
  const { path, answer, first, listed, versions, found, change } = await createAnswered()
  const refused = await owner.post(`${path}/questions`, tone)
  expect(refused.status).toBe(422)
  const added = must(await owner.post<Question>(`${path}/questions`, { ...tone, to_published: true }))
  expect(added).toMatchObject({ name: 'tone', required: false })
  expect(added).not.toHaveProperty('to_published')
  expect((await listed()).map(({ name }) => name)).toEqual(['label', 'tone'])
  expect(await versions()).toMatchObject([
    {
      no: 1,
      changes: [
        { type: 'add_question', question_id: added.id },
        { type: 'edit_condition', question_id: added.id, before: neverShown, after: null },
      ],
      revertible: true,
    },
  ])
  must(await change(first, { label: { value: 'no' } }))
  must(await answer(1, { label: { value: 'no' }, tone: { value: 'yes' } }))
  expect(await found(valueIs('tone', 'yes'))).toBe(1)
  must(await owner.post(`${path}/schema/1/revert`))
  expect((await listed())[1]?.shown_when).toEqual(neverShown)
  // The question is hidden again. A device that was offline may still send an answer with a value for it, and the server accepts
  // this answer.
  must(await change(first, { label: { value: 'no' }, tone: { value: 'no' } }))
  expect(await found(valueIs('tone', 'yes'))).toBe(1)
})

it('does not add a required question, because answers would become invalid', async () => {
  const { path, listed } = await createAnswered()
  const { status, body } = await owner.post<{ detail: string }>(`${path}/questions`, {
    ...tone,
    required: true,
    to_published: true,
  })
  expect([status, body.detail]).toEqual([422, expect.stringContaining('cannot be required')])
  expect(await listed()).toHaveLength(1)
})

it('can require a new question of a draft, whatever the request says about published datasets', async () => {
  const { id } = await server.createDataset({ publish: false, questions: [] })
  const body = { ...tone, required: true, to_published: true }
  expect(must(await owner.post<Question>(`/datasets/${id}/questions`, body)).required).toBe(true)
  expect(must(await owner.get<{ items: SchemaVersion[] }>(`/datasets/${id}/schema-versions`)).items).toEqual([])
})

it('retires a required question, keeps its answers, and asks it again', async () => {
  const { answer, first, listed, versions, found, change } = await createAnswered([label, tone])
  const [question] = await listed()
  must(await owner.patch<Question>(`/questions/${question?.id}`, { shown_when: neverShown }))
  expect((await listed())[0]).toMatchObject({ required: true, shown_when: neverShown })
  must(await answer(1, { tone: { value: 'no' } }))
  expect(await found(valueIs('label', 'yes'))).toBe(1)
  // The web app doesn't send values for retired questions.
  expect(must(await change(first, { tone: { value: 'yes' } })).values).toEqual({
    label: { value: 'yes' },
    tone: { value: 'yes' },
  })
  expect(await found(valueIs('label', 'yes'))).toBe(1)
  expect(await versions()).toMatchObject([{ no: 1, revertible: true }])
  must(await owner.patch<Question>(`/questions/${question?.id}`, { shown_when: null }))
  expect((await change(first, { tone: { value: 'yes' } })).status).toBe(422)
  must(await change(first, { label: { value: 'no' } }))
})

it('keeps values of a retired question when an answer is changed without them, and those of questions that depend on it', async () => {
  const why = { ...tone, name: 'why', settings: { type: 'text' }, shown_when: { all: [{ question: 'label', in: ['yes'] }] } }
  const how = { ...why, name: 'how', shown_when: { all: [{ question: 'tone', in: ['yes'] }] } }
  const { path, first, listed, change } = await createAnswered([label, tone, why, how])
  const kept = { label: { value: 'yes' }, why: { value: 'so' } }
  const shown = { tone: { value: 'yes' }, how: { value: 'well' } }
  must(await change(first, { ...kept, ...shown }))
  const [question] = await listed()
  const retire = async (shown_when: object | null) => must(await owner.patch(`/questions/${question?.id}`, { shown_when }))
  await retire(neverShown)
  // The value of `how` is left out, because `how` isn't retired, but hidden by its condition: it is shown only if `tone` is
  // `yes`.
  expect(must(await change(first, { tone: { value: 'no' } })).values).toEqual({ ...kept, tone: { value: 'no' } })
  const mine = await owner.put<Response>(`/records/${first.record_id}/responses/mine`, {
    mutation_id: crypto.randomUUID(),
    base_version: must(await change(first, shown)).version,
    status: 'discarded',
    values: {},
  })
  expect(must(mine).values).toEqual(kept)
  const cleared = { ...kept, label: { value: 'no' }, tone: { value: 'no' } }
  const { why: _, ...withoutWhy } = cleared
  expect(must(await change(first, withoutWhy)).values).toEqual(withoutWhy)
  // Renamed labels are replaced in kept values, too.
  const changes = [{ type: 'rename_label', question_id: question?.id, label: 'no', value: 'never', text: 'Never' }]
  const { token } = must(await owner.post<{ token: string }>(`${path}/schema/plan`, { changes }))
  must(await owner.post(`${path}/schema/apply`, { token }))
  expect(must(await change(first, { tone: { value: 'yes' } })).values).toEqual({
    label: { value: 'never' },
    tone: { value: 'yes' },
  })
  await retire(null)
  expect((await change(first, { tone: { value: 'yes' } })).status).toBe(422)
})

it('accepts values of questions that depend on a retired one, if its answer shows them', async () => {
  const why = { ...tone, name: 'why', settings: { type: 'text' }, shown_when: { all: [{ question: 'label', in: ['yes'] }] } }
  const { first, listed, change } = await createAnswered([label, tone, why])
  const [question] = await listed()
  must(await owner.patch<Question>(`/questions/${question?.id}`, { shown_when: neverShown }))
  must(await change(first, { label: { value: 'yes' }, why: { value: 'so' } }))
  expect((await change(first, { label: { value: 'no' }, why: { value: 'so' } })).status).toBe(422)
  expect((await change(first, { tone: { value: 'no' }, why: { value: 'so' } })).status).toBe(422)
})
