import { expect, test } from 'vitest'
import { checkSchema } from './schema.ts'
import { Properties, Questions } from './shapes.ts'

const problemsOf = (settings: object, title = 'P') => {
  const id = '0a1b2c3d-0000-4000-8000-000000000001'
  const times = { inserted_at: '2026-01-01T00:00:00', updated_at: '2026-01-01T00:00:00' }
  const metadata_properties = Properties.parse({ items: [{ id, ...times, name: 'p', title, settings }] })
  return checkSchema({ fields: [], questions: [], metadata_properties, vector_settings: [], label_colours: [] }).problems
}

test('accepts float bounds up to the float limit, and rejects numbers that would change and texts with NUL', () => {
  expect(problemsOf({ type: 'float', min: 0, max: 1e18 })).toEqual([])
  expect(problemsOf({ type: 'float', min: -1.5e300, max: null })).toEqual([])
  expect(problemsOf({ type: 'integer', min: 0, max: 1e18 })).toEqual([expect.stringContaining('has invalid settings: max')])
  expect(problemsOf({ type: 'terms', values: [2 ** 60] })).toEqual([expect.stringContaining('has invalid settings')])
  expect(problemsOf({ type: 'terms', values: ['a\0b'] })).toEqual([
    expect.stringContaining('NUL'),
    expect.stringContaining('has invalid settings'),
  ])
  expect(problemsOf({ type: 'float' }, 'a\0b')).toEqual([expect.stringContaining('NUL')])
})

test('keeps label changes and settings that only Postil has', () => {
  const times = { inserted_at: '2026-01-01T00:00:00', updated_at: '2026-01-01T00:00:00' }
  const common = { id: '0a1b2c3d-0000-4000-8000-000000000001', ...times, title: 'Q', description: null, required: true }
  const options = ['a', 'b', 'c'].map((value) => ({ value, text: value, description: null }))
  const labels = {
    ...{ type: 'label_selection', options, visible_options: null, retired: ['b'] },
    replaced: [{ from: 'old', to: 'a' }],
    split: [{ from: 'b', into: ['a', 'c'] }],
  }
  const notes = { type: 'text', use_markdown: false, codes: true }
  const questions = Questions.parse({
    items: [
      { ...common, name: 'labels', settings: labels },
      { ...common, name: 'notes', settings: notes },
    ],
  })
  const { schema, problems } = checkSchema({
    ...{ fields: [], questions, metadata_properties: [], vector_settings: [], label_colours: [] },
  })
  expect(problems).toEqual([])
  expect(schema.questions.map(({ settings }) => settings)).toEqual([labels, notes])
})
