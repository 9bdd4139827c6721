import { expect, test } from 'vitest'
import { merge } from './merge.ts'
import { settingsUpdate } from './question-edit.ts'

const option = (value: string, text = value) => ({ value, text, description: null })
const span = {
  type: 'span' as const,
  field: 'text',
  options: [option('a'), option('b')],
  visible_options: null,
  allow_overlapping: false,
  allow_character_annotation: true,
}

test("changed options are sent with other people's texts and without other settings", () => {
  const mine = { ...span, options: [option('a', 'Mine'), option('b')] }
  const fresh = { ...span, options: [option('a'), option('b', 'Theirs')] }
  expect(settingsUpdate(fresh, merge(span, mine, fresh))).toEqual({
    type: 'span',
    options: [option('a', 'Mine'), option('b', 'Theirs')].map((one) => ({ ...one, parent: null })),
  })
})

test('overlapping that someone else allowed is sent again', () => {
  const mine = { ...span, options: [option('b'), option('a')] }
  const fresh = { ...span, allow_overlapping: true }
  expect(settingsUpdate(fresh, merge(span, mine, fresh))).toMatchObject({ allow_overlapping: true })
})

test('changing another setting does not send the options', () => {
  expect(settingsUpdate(span, { ...span, allow_overlapping: true })).toEqual({ type: 'span', allow_overlapping: true })
})
