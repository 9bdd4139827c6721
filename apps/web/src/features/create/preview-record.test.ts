import type { Question } from '@postil/contract/questions.ts'
import { expect, test } from 'vitest'
import { recordOf } from './preview-record.ts'

const question = (name: string): Question => ({
  id: name,
  name,
  title: name,
  description: null,
  required: false,
  dataset_id: '',
  inserted_at: '',
  updated_at: '',
  settings: {
    type: 'multi_label_selection',
    visible_options: null,
    options_order: 'natural',
    options: ['a', 'b', 'c', 'd'].map((value) => ({ value, text: value, description: null })),
  },
})

const planned = {
  row: 1,
  external_id: null,
  fields: { text: 'One.' },
  metadata: {},
  suggestions: [{ question: 'known', value: ['c'] }],
}

test('a sample suggestion is shown only if it is wanted, and never replaces a real one', () => {
  const questions = [question('known'), question('other')]
  const values = (withSamples: boolean) =>
    recordOf(planned as unknown as Parameters<typeof recordOf>[0], questions, withSamples).suggestions?.map(
      ({ question_id, value, agent }) => [question_id, value, agent],
    )
  expect(values(false)).toEqual([['known', ['c'], null]])
  expect(values(true)).toEqual([
    ['known', ['c'], null],
    ['other', ['a', 'b'], 'system'],
  ])
})
