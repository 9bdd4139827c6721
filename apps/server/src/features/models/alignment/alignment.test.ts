import type { ModelAlignment, ModelDisagreement } from '@postil/contract/model-alignment.ts'
import { detail } from '@postil/testkit/detail.ts'
import { expect, it } from 'vitest'
import { must } from '#features/queue/testing/team.ts'
import { isInDevHalf } from '../runs/source.ts'
import { allQuestions, createRunTeam, type RunTeam, setUpModelServer } from '../testing/run-team.ts'

const on = setUpModelServer()

const yesNo = {
  name: 'topic',
  required: true,
  settings: { type: 'label_selection', options: ['yes', 'no'].map((value) => ({ value, text: value })) },
}
/** The model answers with the label that the text names, or with the other label if the text contains `[[wrong]]`. */
const texts = Array.from(
  { length: 60 },
  (_, i) => `${i % 3 === 0 ? 'no' : 'yes'}${i % 5 === 0 ? ' [[wrong]]' : ''} ${'x'.repeat(i)}`,
)
const truth = (i: number) => (i % 3 === 0 ? 'no' : 'yes')
const isWrong = (i: number) => i % 5 === 0
/** The number of records that have final answers. These are the first records. */
const KNOWN = 45

const putGold = async (team: RunTeam, name: string, finalOf: (i: number) => unknown, known: number) => {
  for (const [i, id] of team.ids.entries()) {
    if (i >= known) return
    const values = { [name]: { value: finalOf(i), source: 'adjudicated' } }
    must(await team.owner.put(`/records/${id}/gold`, { mutation_id: crypto.randomUUID(), base_version: null, values }))
  }
}
const get = async <T>(team: RunTeam, path: string) => must(await team.owner.get<T>(`/model-runs/${path}`))

it('compares a run with final answers, separately for each half of the records', async () => {
  const team = await createRunTeam(on, { texts, questions: [yesNo] })
  await putGold(team, 'topic', truth, KNOWN)
  const run = await team.ended(await team.start())
  const other = await team.ended(await team.start({ name: 'other' }))
  const known = team.ids.map((id, i) => ({ id, i })).filter(({ i }) => i < KNOWN)
  const dev = known.filter(({ id }) => isInDevHalf(id))
  const { looks, questions } = await get<ModelAlignment>(team, `${run.id}/alignment?other=${other.id}`)
  expect(looks).toEqual({ run: 0, dataset: 0 })
  const count = (of: { i: number }[], expected: string, wrong: boolean) =>
    of.filter(({ i }) => truth(i) === expected && isWrong(i) === wrong).length
  const right = dev.filter(({ i }) => !isWrong(i)).length
  expect(questions).toMatchObject([
    {
      name: 'topic',
      records: dev.length,
      equal: right,
      measure: 'alpha_nominal',
      similarity: right / dev.length,
      confusion: {
        rows: ['yes', 'no'],
        columns: ['yes', 'no'],
        counts: [
          [count(dev, 'yes', false), count(dev, 'yes', true)],
          [count(dev, 'no', true), count(dev, 'no', false)],
        ],
      },
      human: { value: null, reason: 'no_overlap', records: 0 },
      calibration: null,
      comparison: { records: dev.length, only_this: 0, only_other: 0, p: 1 },
    },
  ])
  const [question] = questions
  const recall = question?.labels.find(({ value }) => value === 'yes')?.recall
  const yes = count(dev, 'yes', false) + count(dev, 'yes', true)
  expect(recall).toMatchObject({ n: yes, value: count(dev, 'yes', false) / yes })
  for (const { interval, value } of [recall, question?.kappa].flatMap((one) => (one ? [one] : []))) {
    expect(interval?.[0]).toBeLessThanOrEqual(value)
    expect(interval?.[1]).toBeGreaterThanOrEqual(value)
  }
  // `n` counts the records without final answers in both halves: the development half and the test half.
  expect(question?.corrected).toMatchObject({ label: 'yes', n: team.ids.length - KNOWN })
  const items = (await get<{ items: ModelDisagreement[] }>(team, `${run.id}/disagreements?question=topic`)).items
  expect(items.map(({ record_id }) => record_id)).toEqual(dev.filter(({ i }) => isWrong(i)).map(({ id }) => id))
  for (const { record_id, value, expected } of items) {
    expect(expected).toBe(truth(team.ids.indexOf(record_id)))
    expect(value).not.toBe(expected)
  }
  const page = await get<{ items: ModelDisagreement[] }>(team, `${run.id}/disagreements?question=topic&offset=1&limit=1`)
  expect(page.items).toEqual(items.slice(1, 2))
})

it('counts how often the test half was looked at', async () => {
  const team = await createRunTeam(on, { texts: texts.slice(0, 20), questions: [yesNo] })
  await putGold(team, 'topic', truth, 20)
  const [run, other] = [await team.ended(await team.start()), await team.ended(await team.start({ name: 'other' }))]
  const test = team.ids.filter((id) => !isInDevHalf(id))
  const first = await get<ModelAlignment>(team, `${run.id}/alignment?split=test`)
  expect(first).toMatchObject({ split: 'test', looks: { run: 1, dataset: 1 }, questions: [{ records: test.length }] })
  await get(team, `${run.id}/alignment`)
  await get(team, `${other.id}/disagreements?split=test&question=topic`)
  expect((await get<ModelAlignment>(team, `${run.id}/alignment`)).looks).toEqual({ run: 1, dataset: 2 })
})

it('compares a run with what most annotators have answered, and annotators with each other', async () => {
  const team = await createRunTeam(on, { texts: texts.slice(0, 20), questions: [yesNo] })
  const { workspace_id } = must(await team.owner.get<{ workspace_id: string }>(`/datasets/${team.dataset}`))
  for (let user = 0; user < 3; user += 1) {
    const someone = on.server.clientFor(await on.server.createUser({ workspaces: [workspace_id] }))
    for (const [i, id] of team.ids.entries()) {
      if (user > 0 && i >= 15) continue
      const value = user === 2 && i % 2 === 0 ? 'no' : truth(i)
      must(await someone.post(`/records/${id}/responses`, { status: 'submitted', values: { topic: { value } } }))
    }
  }
  const run = await team.ended(await team.start())
  const dev = team.ids.flatMap((id, i) => (isInDevHalf(id) ? [i] : []))
  const { questions } = await get<ModelAlignment>(team, `${run.id}/alignment?against=majority`)
  expect(questions).toMatchObject([
    {
      records: dev.length,
      equal: dev.filter((i) => !isWrong(i)).length,
      human: { records: dev.filter((i) => i < 15).length },
    },
  ])
})

detail('says which annotators the model could replace', async () => {
  const many = Array.from({ length: 120 }, (_, i) => (i % 3 === 0 ? 'no' : 'yes'))
  const team = await createRunTeam(on, { texts: many, questions: [yesNo] })
  const { workspace_id } = must(await team.owner.get<{ workspace_id: string }>(`/datasets/${team.dataset}`))
  const users: string[] = []
  for (let user = 0; user < 4; user += 1) {
    const created = await on.server.createUser({ workspaces: [workspace_id] })
    users.push(created.id)
    for (const [i, id] of team.ids.entries()) {
      // The last person answered too few records, and the third person always gives the same answer.
      if (user === 3 && i >= 10) continue
      const value = user === 2 ? 'yes' : many[i]
      must(
        await on.server
          .clientFor(created)
          .post(`/records/${id}/responses`, { status: 'submitted', values: { topic: { value } } }),
      )
    }
  }
  const run = await team.ended(await team.start())
  const { questions } = await get<ModelAlignment>(team, `${run.id}/alignment?epsilon=0.1`)
  const dev = team.ids.filter(isInDevHalf).length
  expect(questions[0]?.alternative).toMatchObject({ epsilon: 0.1, winning: 1 })
  const byUser = new Map(questions[0]?.alternative?.annotators.map((one) => [one.user_id, one]))
  expect([...byUser.keys()].sort()).toEqual(users.slice(0, 3).sort())
  // The model gives the same answers as the first two people.
  expect(byUser.get(users[0] ?? '')).toMatchObject({ records: dev, model: 1, person: 1, p: 0, beaten: true })
  expect(byUser.get(users[2] ?? '')?.person).toBeLessThan(1)
})

it('has figures for every type of question, and calibration where a run has scores', async () => {
  const texts = Array.from(
    { length: 24 },
    (_, i) => `${i % 2 === 0 ? 'odd' : 'short'} ${1 + (i % 3)} first second [[all]] «Ada» place ${i}`,
  )
  const team = await createRunTeam(on, { texts, questions: allQuestions })
  const names = allQuestions.map(({ name }) => name)
  const run = await team.ended(await team.start({ questions: names, samples: 2 }))
  const found = await team.items(run)
  const dev = found.filter(({ record_id }) => isInDevHalf(record_id))
  for (const one of found) {
    const { record_id, values } = one
    // For every fourth record of the dev half, the final answer differs from the model's answer in stars, tags and spans.
    const isOther = dev.indexOf(one) % 4 === 0
    const other = {
      stars: 1 + ((Number(values?.['stars']?.value) ?? 0) % 3),
      tags: ['long'],
      parts: [{ label: 'name', start: 0, end: 1 }],
    }
    const given = Object.fromEntries(names.map((name) => [name, values?.[name]?.value]))
    const final = Object.fromEntries(
      Object.entries(isOther ? { ...given, ...other } : given).map(([name, value]) => [name, { value, source: 'adjudicated' }]),
    )
    must(
      await team.owner.put(`/records/${record_id}/gold`, { mutation_id: crypto.randomUUID(), base_version: null, values: final }),
    )
  }
  const differing = Math.ceil(dev.length / 4)
  const { questions: aligned } = await get<ModelAlignment>(team, `${run.id}/alignment`)
  const named = new Map(aligned.map((one) => [one.name, one]))
  for (const name of ['tags', 'stars', 'parts'])
    expect(named.get(name)).toMatchObject({ records: dev.length, equal: dev.length - differing })
  for (const name of ['order', 'note']) expect(named.get(name)).toMatchObject({ equal: dev.length, confusion: null, labels: [] })
  expect(named.get('stars')).toMatchObject({ measure: 'alpha_ordinal', calibration: { n: dev.length } })
  expect(named.get('stars')?.calibration?.brier).toBeCloseTo(differing / dev.length, 9)
  expect(named.get('parts')?.labels.find(({ value }) => value === 'place')?.precision).toMatchObject({
    n: dev.length,
    value: (dev.length - differing) / dev.length,
  })
  expect(named.get('tags')?.calibration?.n).toBeGreaterThanOrEqual(dev.length)
  expect(named.get('note')).toMatchObject({ measure: null, value: null })
  const { items } = await get<{ items: ModelDisagreement[] }>(team, `${run.id}/disagreements?question=parts`)
  expect(items).toHaveLength(differing)
  expect(items[0]?.expected).toEqual([{ label: 'name', start: 0, end: 1 }])
})

it('refuses runs of other datasets and unknown questions', async () => {
  const [team, elsewhere] = [
    await createRunTeam(on, { texts: ['yes'], questions: [yesNo] }),
    await createRunTeam(on, { texts: ['yes'], questions: [yesNo] }),
  ]
  const [run, other] = [await team.ended(await team.start()), await elsewhere.ended(await elsewhere.start())]
  expect((await team.owner.get(`/model-runs/${run.id}/alignment?other=${other.id}`)).status).toBe(404)
  expect((await team.owner.get(`/model-runs/${run.id}/disagreements?question=absent`)).status).toBe(422)
  expect((await team.owner.get(`/model-runs/${run.id}/alignment?split=train`)).status).toBe(422)
})
