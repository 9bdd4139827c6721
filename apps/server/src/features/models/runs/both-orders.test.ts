import type { ModelAlignment } from '@postil/contract/model-alignment.ts'
import type { ModelPreview } from '@postil/contract/model-runs.ts'
import type { Question } from '@postil/contract/questions.ts'
import { expect, it } from 'vitest'
import { must } from '#features/queue/testing/team.ts'
import { createRunTeam, setUpModelServer } from '../testing/run-team.ts'

const on = setUpModelServer()

/**
 * The options are named after the fields. If the text of a field contains `[[best]]`, the stand-in model picks that field.
 * Otherwise, it picks the first option.
 */
const better = {
  name: 'better',
  title: 'Which one is better?',
  required: true,
  settings: {
    type: 'label_selection',
    postil_kind: 'comparison',
    options: ['a', 'b', 'tie'].map((value) => ({ value, text: value })),
    compare: { options: { a: 'a', b: 'b' }, ties: 'tie' },
  },
}
const note = { name: 'note', title: 'Note', settings: { type: 'text' } }
const textFields = ['text', 'a', 'b'].map((name) => ({ name, required: false, settings: { type: 'text' } }))

const createTeam = async (records: readonly { readonly a: string; readonly b: string }[], questions = [better, note]) => {
  const mark = crypto.randomUUID()
  const texts = records.map((_, i) => `${mark} ${i}`)
  const team = await createRunTeam(on, { texts, questions, fields: textFields })
  for (const [i, { a, b }] of records.entries())
    must(await team.owner.patch(`/records/${team.ids[i]}`, { fields: { text: texts[i], a, b } }))
  const asked = () => on.model.asked.filter(({ record }) => record.includes(mark))
  return { ...team, asked }
}
const how = { questions: ['better', 'note'], both_orders: true }

it('asks about comparisons again with swapped fields, and reports which position a model prefers', async () => {
  const team = await createTeam([
    { a: 'one [[best]]', b: 'two' },
    { a: 'one', b: 'two [[best]]' },
    { a: 'no', b: 'difference' },
    { a: 'also no', b: 'differences' },
  ])
  const run = await team.ended(await team.start(how))
  expect(run).toMatchObject({ both_orders: true, answered: 4, failed: 0, agent: 'judge/v1' })
  const items = await team.items(run)
  expect(items.map(({ values }) => values)).toEqual([
    { better: { value: 'a', score: 1, unmatched: 0, orders: ['a', 'a'] }, note: { value: 'a text', score: null, unmatched: 0 } },
    { better: { value: 'b', score: 1, unmatched: 0, orders: ['b', 'b'] }, note: { value: 'a text', score: null, unmatched: 0 } },
    {
      better: { value: 'a', score: 0.5, unmatched: 0, orders: ['a', 'b'] },
      note: { value: 'a text', score: null, unmatched: 0 },
    },
    {
      better: { value: 'a', score: 0.5, unmatched: 0, orders: ['a', 'b'] },
      note: { value: 'a text', score: null, unmatched: 0 },
    },
  ])
  const asked = team.asked()
  expect(asked).toHaveLength(8)
  const swapped = asked.filter(({ record }) => record.includes('"a":"two"'))
  expect(swapped).toHaveLength(1)
  expect(swapped[0]?.record).toContain('"b":"one [[best]]"')
  // Only comparisons are asked about twice.
  expect(Object.keys(swapped[0]?.body.response_format?.json_schema.schema.properties ?? {})).toEqual(['better'])
  expect(items.reduce((sum, { input_tokens }) => sum + input_tokens, 0)).toBe(run.input_tokens)
  const { questions } = must(await team.owner.get<ModelAlignment>(`/model-runs/${run.id}/alignment`))
  expect(questions.map(({ name, records, position }) => [name, records, position])).toEqual([
    [
      'better',
      0,
      { same: { value: 0.5, n: 4, interval: [expect.closeTo(0.15, 2), expect.closeTo(0.85, 2)] }, first: 2, second: 0, p: 0.5 },
    ],
    ['note', 0, null],
  ])
  const published = await team.publish(run)
  expect(published.job?.published).toMatchObject({ stored: 4, invalid: 0 })
  expect(await team.suggestions(2)).toMatchObject([{ value: 'a', score: 0.5 }, { value: 'a text' }])
})

it('uses the field order of the dataset in prompts, not the order of the settings', async () => {
  const reversed = { ...better, settings: { ...better.settings, compare: { options: { b: 'b', a: 'a' }, ties: 'tie' } } }
  const team = await createTeam([{ a: 'no', b: 'difference' }], [reversed, note])
  const run = await team.ended(await team.start(how))
  const { questions } = must(await team.owner.get<ModelAlignment>(`/model-runs/${run.id}/alignment`))
  expect(questions[0]?.position).toMatchObject({ same: { value: 0, n: 1 }, first: 1, second: 0, p: 1 })
})

it('restores options that say that a field is much better, and takes several samples in each order', async () => {
  const strong = {
    ...better,
    settings: {
      ...better.settings,
      options: ['a', 'a_much', 'b', 'b_much'].map((value) => ({ value, text: value })),
      compare: { options: { a: 'a', a_much: 'a', b: 'b', b_much: 'b' }, strong: ['a_much', 'b_much'] },
    },
  }
  const team = await createTeam([{ a: 'it is a_much', b: 'two' }], [strong, note])
  const run = await team.ended(await team.start({ ...how, samples: 2 }))
  // The stand-in picks an option whose name occurs in any field, so it picks the same option when the fields are swapped.
  expect((await team.items(run))[0]?.values?.['better']).toEqual({
    value: 'a',
    score: 0.5,
    unmatched: 0,
    orders: ['a', 'b'],
  })
  expect(team.asked()).toHaveLength(4)
})

it('stores an error if there is no valid answer in one of the orders', async () => {
  // The fake model obeys the first mark in a prompt. If the fields are swapped, the first mark is `[[refuse]]`, so the model
  // refuses to answer.
  const team = await createTeam([{ a: 'one [[best]]', b: 'two [[refuse]]' }])
  const run = await team.ended(await team.start(how))
  expect(run).toMatchObject({ answered: 0, failed: 1 })
  expect(team.asked()).toHaveLength(2)
  const [item] = await team.items(run)
  expect(item).toMatchObject({ values: null, input_tokens: run.input_tokens, reason_parts: [{ code: 'modelRefused' }] })
})

it('asks in one order in previews, without comparisons, and if both orders are turned off', async () => {
  const team = await createTeam([{ a: 'one', b: 'two' }])
  const plain = await team.ended(await team.start({ questions: how.questions }))
  expect(plain).toMatchObject({ both_orders: false, version: 1 })
  expect((await team.items(plain))[0]?.values?.['better']).toEqual({ value: 'a', score: null, unmatched: 0 })
  const other = await team.ended(await team.start({ ...how, questions: ['note'] }))
  expect(other).toMatchObject({ version: 2 })
  expect(team.asked()).toHaveLength(2)
  const preview = { connection_id: team.connection.id, name: 'judge', ...how, record_id: team.ids[0], ask: true }
  expect(must(await team.owner.post<ModelPreview>(`/datasets/${team.dataset}/model-runs/preview`, preview)).values).toMatchObject(
    {
      better: { value: 'a' },
    },
  )
  expect(team.asked()).toHaveLength(3)
})

it('leaves out questions that the combined answer to a comparison hides', async () => {
  const team = await createTeam([{ a: 'one', b: 'two [[best]]' }])
  const all = must(await team.owner.get<{ items: Question[] }>(`/datasets/${team.dataset}/questions`)).items
  const hidden = all.find(({ name }) => name === 'note')
  must(await team.owner.patch(`/questions/${hidden?.id}`, { shown_when: { all: [{ question: 'better', in: ['a'] }] } }))
  const run = await team.ended(await team.start(how))
  expect((await team.items(run))[0]?.values).toEqual({ better: { value: 'b', score: 1, unmatched: 0, orders: ['b', 'b'] } })
})
