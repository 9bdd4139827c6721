import type { Job } from '@postil/contract/jobs.ts'
import { detail } from '@postil/testkit/detail.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { forgetModels } from './models.ts'
import { bootFillingServer, type FillingServer } from './testing/filling-server.ts'

let filling: FillingServer
beforeAll(async () => {
  filling = await bootFillingServer()
})
afterAll(() => filling.close())

const steps: FillingServer['steps'] = (max) => filling.steps(max)
const NAMES: { readonly [letter: string]: string | null } = { y: 'yes', n: 'no', m: 'maybe', '.': null }
const labels = (rows: readonly string[]) => rows.map((row) => [...row].map((letter) => NAMES[letter] ?? null))
const repeated = (rows: readonly string[], times: number): readonly string[] => Array.from({ length: times }, () => rows).flat()

/** The third annotator always swaps yes and no. On the last two records, a majority vote is tied. */
const swapped = [...repeated(['yyn', 'nny'], 5), 'y.n', '.ny']
/** The third annotator always answers yes. */
const lazy = [...repeated(['nny', 'mmy'], 5), 'n.y', '.my']

describe('the rule dawid_skene', () => {
  it('decides ties by the reliability of annotators, which it reports', async () => {
    const team = await filling.createTeam(labels(swapped))
    const job = await team.start({ rule: 'dawid_skene' })
    expect(await steps()).toBe('finished')
    const { gold, gold_models } = await team.current(job)
    expect(gold).toEqual({ stored: 12, undecided: 0, kept: 0, gone: 0 })
    expect(await team.values()).toEqual([...repeated(['yes', 'no'], 5), 'yes', 'no'])
    expect(await team.goldOf(10)).toMatchObject({
      final: true,
      stale: false,
      values: { label: { source: 'model_weighted', by: { id: filling.server.owner.id } } },
    })
    expect(gold_models).toMatchObject([{ question: 'label', records: 12, answers: 34, annotators_left_out: 0 }])
    const accuracies = new Map(gold_models?.[0]?.annotators.map(({ username, accuracy }) => [username, accuracy]))
    expect(team.users.map(({ username }) => Math.round(accuracies.get(username) ?? Number.NaN))).toEqual([1, 1, 0])
    expect(gold_models?.[0]?.entropy).toBeGreaterThanOrEqual(0)
  })

  it('leaves ties and improbable answers open', async () => {
    const team = await filling.createTeam(labels(['yn.']))
    const tie = await team.start({ rule: 'dawid_skene', share: 0 })
    await steps()
    expect(await team.current(tie)).toMatchObject({ gold: { stored: 0, undecided: 1 } })
    const others = await filling.createTeam(labels(lazy))
    const improbable = await others.start({ rule: 'mace', share: 1 })
    await steps()
    expect(await others.current(improbable)).toMatchObject({ gold: { stored: 0, undecided: 12 } })
    expect(await others.values()).toEqual(lazy.map(() => null))
  })
})

describe('the rule mace', () => {
  it('does not believe an annotator who always gives the same answer', async () => {
    const team = await filling.createTeam(labels(lazy))
    const job = await team.start({ rule: 'mace' })
    await steps()
    expect(await team.values()).toEqual([...repeated(['no', 'maybe'], 5), 'no', 'maybe'])
    const [model] = (await team.current(job)).gold_models ?? []
    expect(model?.annotators.find(({ user_id }) => user_id === team.users[2]?.id)?.accuracy).toBeLessThan(0.2)
  })

  it('stores nothing in a dry run, and only records with enough answers', async () => {
    const team = await filling.createTeam(labels(lazy))
    const trial = await team.start({ rule: 'mace', min: 3, dry_run: true })
    await steps()
    expect(await team.current(trial)).toMatchObject({ gold: { stored: 10, undecided: 2 }, gold_models: [{ question: 'label' }] })
    expect(await team.values()).toEqual(lazy.map(() => null))
    expect((await team.owner.post(`${team.path}/${trial.id}/undo`)).status).toBe(422)
  })
})

it('uses the answers to all records, but decides only those of the search', async () => {
  const team = await filling.createTeam(labels(swapped))
  await team.start({ rule: 'dawid_skene', search: undefined, record_ids: team.ids.slice(10) })
  await steps()
  expect(await team.values()).toEqual([...repeated(['yes'], 10).map(() => null), 'yes', 'no'])
})

detail('leaves records open whose answers change while the job runs, continues after a kill, and can be undone', async () => {
  const team = await filling.createTeam(labels(repeated(['yyy', 'nnn'], 60)))
  await team.review(119, 'maybe', null, false)
  const job = await team.start({ rule: 'dawid_skene' })
  expect(await steps(1)).toBe('started')
  await team.answer(0, 60, { label: { value: 'maybe' } })
  expect(await steps(1)).toBe('started')
  await team.answer(1, 110, { label: { value: 'maybe' } })
  await forgetModels(job.id)
  expect(await steps()).toBe('finished')
  expect(await team.current(job)).toMatchObject({ gold: { stored: 118, undecided: 2, kept: 0 }, gold_models: [{ records: 120 }] })
  const values = await team.values()
  expect([60, 110, 119].map((i) => values[i])).toEqual([null, 'yes', 'maybe'])
  await team.review(3, 'maybe', 1)
  const undo = await team.undo(job)
  expect(await steps()).toBe('finished')
  expect(await team.current(undo)).toMatchObject({ gold: { stored: 117 } })
  expect((await team.values()).flatMap((value, i) => (value === null ? [] : [[i, value]]))).toEqual([
    [3, 'maybe'],
    [119, 'maybe'],
  ])
})

it('decides ratings with their numbers, and leaves other questions open', async () => {
  const options = [1, 2, 3].map((value) => ({ value }))
  const team = await filling.createTeam(labels(['...', '...']), [
    { name: 'stars', required: true, settings: { type: 'rating', options } },
    { name: 'note', settings: { type: 'text' } },
  ])
  for (const user of [0, 1]) {
    await team.answer(user, 0, { stars: { value: 3 } })
    await team.answer(user, 1, { stars: { value: 2 }, note: { value: 'late' } })
  }
  await team.start({ rule: 'dawid_skene' })
  await steps()
  expect(await team.goldOf(0)).toMatchObject({ final: true, values: { stars: { value: 3 } } })
  expect(await team.goldOf(1)).toMatchObject({ final: false, values: { stars: { value: 2 } } })
})

it('refuses questions without single labels or ratings', async () => {
  const team = await filling.createTeam(labels(['yyy']))
  const refused = await team.owner.post<Job>(team.path, { search: {}, rule: 'mace', questions: ['note'] })
  expect(refused).toMatchObject({ status: 422, body: { detail: expect.stringContaining('note') } })
  const texts = await filling.createTeam(labels(['...']), [{ name: 'note', required: true, settings: { type: 'text' } }])
  expect((await texts.owner.post(texts.path, { search: {}, rule: 'mace' })).status).toBe(422)
})
