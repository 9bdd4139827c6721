import type { History } from '@postil/contract/history.ts'
import type { Job } from '@postil/contract/jobs.ts'
import type { Response } from '@postil/contract/responses.ts'
import { expect } from 'vitest'
import { must } from '#features/queue/testing/team.ts'
import type { Features } from './feature.ts'
import { complete, given, skipping } from './team.ts'

const containing = (text: string) => expect.stringContaining(text)
const hides = containing('name=conditional found but the condition of the question hides it')

/** How people answer. */
export const answerFeatures: Features = {
  'a submitted answer': async ({ sample, users: [ann, bob, cy], answer }) => {
    const refused = async (values: Parameters<typeof answer>[2]) => (await answer(ann, 0, values)).body.detail
    const { value, invalid, fault, incomplete } = sample
    expect(await refused({ ...skipping(sample), asked: { value: invalid } })).toEqual(containing(fault))
    expect(await refused({ ...skipping(sample), asked: { value: invalid } })).toEqual(containing('asked'))
    expect(await refused({ ...complete(sample), conditional: { value: invalid } })).toEqual(containing(fault))
    expect(await refused(given({ gate: 'ask', asked: value }))).toEqual(containing('required question with name=conditional'))
    expect(await refused(given({ gate: 'skip' }))).toEqual(containing('required question with name=asked'))
    expect(await refused({ ...complete(sample), ...given({ gate: 'skip' }) })).toEqual(hides)
    if (incomplete !== undefined) {
      const fault = await refused({ ...skipping(sample), asked: { value: incomplete } })
      expect(fault).toEqual(containing('asked'))
    }
    expect(must(await answer(ann, 0, complete(sample))).values).toEqual(complete(sample))
    expect(must(await answer(bob, 0, skipping(sample))).values).toEqual(skipping(sample))
    // The second record's metadata fulfills the condition, so the question is shown.
    expect((await answer(cy, 1, skipping(sample))).body.detail).toEqual(containing('required question with name=conditional'))
    // Devices that were offline can still send values of retired questions.
    const late = { ...complete(sample), retired: { value } }
    expect(must(await answer(cy, 1, late)).values).toEqual(late)
    expect((await answer(cy, 2, { ...complete(sample), retired: { value: invalid } })).body.detail).toEqual(containing(fault))
  },

  'a draft and a discarded answer': async ({ sample, users: [ann, bob], answer, records }) => {
    const { value, incomplete = value, invalid, fault } = sample
    const hidden = given({ gate: 'skip', asked: incomplete, conditional: value })
    const draft = must(await answer(ann, 0, hidden, 'draft'))
    expect(draft).toMatchObject({ status: 'draft', values: hidden })
    expect((await answer(bob, 0, given({ asked: invalid }), 'draft')).body.detail).toEqual(containing(fault))
    const discarded = must(await answer(ann, 0, hidden, 'discarded', draft.version))
    expect(discarded).toMatchObject({ status: 'discarded', values: hidden })
    expect((await records())[0]?.responses).toMatchObject([{ status: 'discarded', values: hidden }])
  },

  'several answers in one request': async ({ sample, users: [ann], as, record }) => {
    const items = [
      { record_id: record(0), status: 'submitted', values: complete(sample) },
      { record_id: record(1), status: 'submitted', values: { ...complete(sample), asked: { value: sample.invalid } } },
      { record_id: record(2), status: 'submitted', values: { ...complete(sample), ...given({ gate: 'skip' }) } },
    ]
    type Result = { items: { item: Response | null; error: { detail: string } | null }[] }
    const { items: results } = must(await as(ann).post<Result>('/me/responses/bulk', { items }))
    expect(results.map(({ item, error }) => item?.values ?? error?.detail)).toEqual([
      complete(sample),
      containing(sample.fault),
      hides,
    ])
  },

  'an answer that is sent with its record': async ({ sample, users: [ann], owner, path, records }) => {
    const send = (values: object) =>
      owner.put<{ detail: unknown }>(`${path}/records/bulk`, {
        items: [{ external_id: 'record 0', responses: [{ user_id: ann.id, status: 'submitted', values }] }],
      })
    const refused = await send({ ...complete(sample), asked: { value: sample.invalid } })
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([422, containing(sample.fault)])
    expect((await send({ ...complete(sample), ...given({ gate: 'skip' }) })).status).toBe(422)
    must(await send(complete(sample)))
    expect((await records())[0]?.responses).toMatchObject([{ values: complete(sample) }])
    // The published client sends back what it has read.
    must(await send((await records())[0]?.responses?.[0]?.values ?? {}))
  },

  history: async ({ sample, users: [ann], as, answer, record, records }) => {
    const first = must(await answer(ann, 0, complete(sample)))
    const second = given({ gate: 'skip', asked: sample.other })
    must(await answer(ann, 0, second, 'submitted', first.version))
    const { items } = must(await as(ann).get<History>(`/records/${record(0)}/history`))
    expect(items).toMatchObject([{ subject: 'response', before: { values: complete(sample) } }])
    const restore = (at: number) => as(ann).post(`/records/${record(0)}/history/${items[at]?.id}/restore`, {})
    must(await restore(0))
    expect((await records())[0]?.responses).toMatchObject([{ status: 'submitted', values: complete(sample) }])
  },

  'bulk answers and their undo': async ({ sample, users: [ann], as, path, answer, finished, records }) => {
    const values = { ...complete(sample), ...given({ gate: 'skip' }) }
    const bulk = `/me${path}/responses/bulk-jobs`
    const before = must(await answer(ann, 2, given({ gate: 'ask', asked: sample.other, conditional: sample.other })))
    const start = async (values: object) =>
      finished(must(await as(ann).post<Job>(bulk, { status: 'submitted', values, search: {} })))
    const job = await start(values)
    const answers = async () => (await records()).map(({ responses }) => responses?.[0]?.values ?? null)
    expect(await answers()).toEqual([skipping(sample), values, skipping(sample)])
    await finished(must(await as(ann).post<Job>(`${bulk}/${job.id}/undo`)))
    expect(await answers()).toEqual([null, null, before.values])
    expect(
      (await as(ann).post(bulk, { status: 'submitted', values: { ...values, asked: { value: sample.invalid } }, search: {} }))
        .status,
    ).toBe(202)
  },

  'bulk answers that take suggestions': async ({ sample, users: [ann], as, path, finished, records, suggest }) => {
    must(await suggest(0, 'asked', sample.other))
    must(await suggest(0, 'conditional', sample.other))
    const body = {
      status: 'submitted',
      values: complete(sample),
      own_questions: ['asked', 'conditional'],
      search: {},
    }
    await finished(must(await as(ann).post<Job>(`/me${path}/responses/bulk-jobs`, body)))
    const answers = (await records()).map(({ responses }) => responses?.[0]?.values ?? null)
    const taken = given({ gate: 'ask', asked: sample.other, conditional: sample.other })
    expect(answers).toEqual([taken, complete(sample), complete(sample)])
  },

  suggestions: async ({ sample, users: [ann], as, record, suggest, answer, records }) => {
    const { value, incomplete = value, invalid, fault } = sample
    expect((await suggest(0, 'asked', invalid)).body.detail).toEqual(containing(fault))
    for (const question of ['asked', 'conditional', 'retired']) must(await suggest(0, question, incomplete))
    must(await suggest(0, 'asked', value))
    const { suggestions } = (await records())[0] ?? {}
    expect(suggestions?.map((one) => one.value)).toEqual([value, incomplete, incomplete])
    const seen = must(await as(ann).get<{ items: { value: unknown }[] }>(`/records/${record(0)}/suggestions`)).items
    expect(seen).toHaveLength(3)
    const outcomes = { asked: { outcome: 'confirmed', agent: 'model' } }
    const stored = must(await answer(ann, 0, skipping(sample), 'submitted', null, { suggestion_outcomes: outcomes }))
    expect(stored.suggestion_outcomes).toEqual(outcomes)
  },
}
