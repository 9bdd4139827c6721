import type { Agreement } from '@postil/contract/agreement.ts'
import type { Insights } from '@postil/contract/insights.ts'
import type { Job } from '@postil/contract/jobs.ts'
import type { QueueResult } from '@postil/contract/queue.ts'
import type { TestResults } from '@postil/contract/test-items.ts'
import { expect } from 'vitest'
import { must } from '#features/queue/testing/team.ts'
import type { Features } from './feature.ts'
import { complete, given, skipping } from './team.ts'

/** What becomes of answers. */
export const resultFeatures: Features = {
  'the comparison of answers, and final answers of a reviewer': async (team) => {
    const { sample, users, answer, comparison, gold, goldOf } = team
    const [ann, bob, cy] = users
    must(await answer(ann, 0, complete(sample)))
    must(await answer(bob, 0, complete(sample)))
    must(await answer(cy, 0, given({ gate: 'ask', asked: sample.other, conditional: sample.other })))
    const { questions } = await comparison(0)
    const groups = (name: string) =>
      questions.find((question) => question.name === name)?.groups.map(({ value, count }) => ({ value, count }))
    const expected = [
      { value: sample.value, count: 2 },
      { value: sample.other, count: 1 },
    ]
    expect([groups('asked'), groups('conditional')]).toEqual([expected, expected])
    const refused = async (values: Parameters<typeof gold>[1]) => (await gold(0, values)).body.detail
    expect(await refused({ ...complete(sample), asked: { value: sample.invalid } })).toEqual(
      expect.stringContaining(sample.fault),
    )
    expect(await refused({ ...complete(sample), ...given({ gate: 'skip' }) })).toEqual(expect.stringContaining('hides it'))
    expect(await refused(given({ gate: 'ask', asked: sample.value }))).toEqual(expect.stringContaining('conditional'))
    must(await gold(0, skipping(sample)))
    expect(await goldOf(0)).toMatchObject({ final: true, values: skipping(sample) })
  },

  'final answers of the majority, and their undo': async (team) => {
    const { sample, users, answer, owner, path, finished, goldOf } = team
    const [ann, bob, cy] = users
    for (const user of [ann, bob]) {
      must(await answer(user, 0, complete(sample)))
      must(await answer(user, 2, skipping(sample)))
    }
    must(await answer(cy, 0, given({ gate: 'ask', asked: sample.other, conditional: sample.other })))
    // Nobody decides a tie.
    must(await answer(ann, 1, complete(sample)))
    must(await answer(bob, 1, given({ gate: 'skip', asked: sample.other, conditional: sample.other })))
    const jobs = `${path}/gold/jobs`
    const job = await finished(must(await owner.post<Job>(jobs, { rule: 'majority', search: {} })))
    expect(await goldOf(0)).toMatchObject({ final: true, values: complete(sample) })
    expect(Object.keys((await goldOf(1))?.values ?? {})).toEqual([])
    expect(await goldOf(2)).toMatchObject({ final: true, values: skipping(sample) })
    expect(Object.keys((await goldOf(2))?.values ?? {})).toEqual(['gate', 'asked'])
    await finished(must(await owner.post<Job>(`${jobs}/${job.id}/undo`)))
    expect(await goldOf(0)).toMatchObject({ final: false, values: {} })
    expect(Object.keys((await goldOf(0))?.values ?? {})).toEqual([])
  },

  'unanimous answers that become final at once': async ({ sample, users: [ann, bob], owner, path, answer, goldOf }) => {
    must(await owner.put(`${path}/review-settings`, { mode: 'disagreements', auto: { unanimous: true } }))
    for (const user of [ann, bob]) {
      must(await answer(user, 0, complete(sample)))
      must(await answer(user, 2, skipping(sample)))
    }
    expect(await goldOf(0)).toMatchObject({ final: true, values: complete(sample) })
    expect(await goldOf(2)).toMatchObject({ final: true, values: skipping(sample) })
  },

  'test items': async ({ sample, users: [ann, bob, cy], as, owner, path, answer, gold, record }) => {
    for (const user of [ann, bob]) must(await answer(user, 2, skipping(sample)))
    must(await gold(2, skipping(sample)))
    must(await owner.put(`${path}/review-settings`, { mode: 'all', checks: { every: 2 } }))
    const taken: string[] = []
    for (const i of [1, 2, 3]) {
      const { items } = must(
        await as(cy).post<QueueResult>(`/me${path}/queue`, { limit: 1, drafts: true, purpose: 'work', exclude: taken }),
      )
      const id = items[0]?.record.id ?? ''
      taken.push(id)
      const at = [0, 1, 2].find((one) => record(one) === id) ?? 0
      must(await answer(cy, at, at === 2 ? skipping(sample) : complete(sample)))
      expect([i, at === 2]).toEqual([i, i === 2])
    }
    const { people } = must(await owner.get<TestResults>(`${path}/checks`))
    expect(people).toMatchObject([{ items: 1, score: { value: 1 } }])
  },

  agreement: async ({ sample, users: [ann, bob], owner, path, answer }) => {
    for (const user of [ann, bob]) {
      must(await answer(user, 0, complete(sample)))
      must(await answer(user, 1, given({ gate: 'skip', asked: sample.other, conditional: sample.other })))
      must(await answer(user, 2, skipping(sample)))
    }
    const { questions } = must(await owner.get<Agreement>(`${path}/agreement?fresh=true`))
    const of = (name: string) => questions.find((question) => question.name === name)
    expect(of('asked')).toMatchObject({ measure: sample.measure, value: sample.measure === null ? null : 1 })
    expect(of('conditional')).toMatchObject({ measure: sample.measure, value: sample.measure === null ? null : 1 })
    // `conditional` was hidden on one of the three records. All records have the same number of units.
    expect(3 * (of('conditional')?.units ?? 0)).toBe(2 * (of('asked')?.units ?? 0))
    expect(of('conditional')?.units).toBeGreaterThan(0)
    expect(of('retired')?.units ?? 0).toBe(0)
  },

  'the agreement on each record': async ({ sample, users: [ann, bob], answer, comparison }) => {
    must(await answer(ann, 0, complete(sample)))
    must(await answer(bob, 0, complete(sample)))
    must(await answer(ann, 1, given({ gate: 'ask', asked: sample.value, conditional: sample.value })))
    must(await answer(bob, 1, given({ gate: 'ask', asked: sample.other, conditional: sample.value })))
    must(await answer(ann, 2, complete(sample)))
    must(await answer(bob, 2, skipping(sample)))
    const found = async (i: number) =>
      Object.fromEntries((await comparison(i)).questions.map(({ name, agreement }) => [name, agreement]))
    const measured = sample.measure !== null
    expect(await found(0)).toMatchObject({ asked: measured ? 1 : null, conditional: measured ? 1 : null, retired: null })
    const disputed = await found(1)
    expect(disputed['conditional']).toBe(measured ? 1 : null)
    if (measured) expect(disputed['asked']).toBeLessThan(1)
    expect((await found(2))['conditional']).toBeNull()
  },

  insights: async ({ sample, users: [ann, bob], owner, path, answer, suggest }) => {
    must(await suggest(0, 'asked', sample.value))
    must(await answer(ann, 0, complete(sample)))
    must(await answer(bob, 0, given({ gate: 'skip', asked: sample.other })))
    const insights = must(await owner.get<Insights>(`${path}/insights?time_zone=UTC&fresh=true`))
    const of = (name: string) => insights.questions.find((question) => question.name === name)
    expect([of('asked')?.answers, of('conditional')?.answers]).toEqual([2, 1])
    if (sample.countsValues !== false) expect(of('asked')?.values.some(({ count }) => count > 0)).toBe(true)
    expect(insights.suggestions).toMatchObject([{ name: 'asked', shown: 2, accepted: 1, changed: 1 }])
  },

  'searches by answer and by suggestion': async ({ sample, users: [ann, bob], owner, path, answer, suggest, record }) => {
    must(await answer(ann, 0, complete(sample)))
    must(await answer(bob, 2, given({ gate: 'skip', asked: sample.other })))
    must(await suggest(0, 'asked', sample.value))
    must(await suggest(1, 'asked', sample.other))
    const search = async (filter: object) => {
      const body = { filters: { and: [filter] } }
      type Found = { items: { record: { id: string } }[] }
      const { items } = must(await owner.post<Found>(`${path}/records/search`, body))
      return items.map((item) => [0, 1, 2].find((i) => record(i) === item.record.id))
    }
    const scopes = [
      { entity: 'response', question: 'asked', answer_status: 'submitted' },
      { entity: 'suggestion', question: 'asked', property: 'value' },
    ]
    const { term } = sample
    for (const scope of scopes) {
      if (typeof term === 'number') expect(await search({ type: 'range', scope, ge: term, le: term })).toEqual([0])
      if (typeof term === 'string') expect(await search({ type: 'terms', scope, values: [term] })).toEqual([0])
    }
    const shown = { entity: 'response', question: 'conditional', answer_status: 'submitted' }
    if (typeof term === 'string') expect(await search({ type: 'terms', scope: shown, values: [term] })).toEqual([0])
  },
}
