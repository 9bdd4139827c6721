import type { Question } from '@postil/contract/questions.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import { expect, test } from 'vitest'
import { createRecord } from '../queue/testing/record.ts'
import { suggestedAnswers } from './answers.ts'
import { bulkAnswerFor } from './bulk-answer.ts'

const option = (value: string) => ({ value, text: value, description: null })
const question = (name: string, required: boolean, settings: Question['settings']): Question => ({
  id: `id-${name}`,
  name,
  title: name,
  description: null,
  dataset_id: 'd',
  required,
  settings,
  inserted_at: '',
  updated_at: '',
})
const label = question('label', true, { type: 'label_selection', options: [option('a'), option('b')], visible_options: null })
const spans = (required: boolean) =>
  question('spans', required, {
    type: 'span',
    field: 'body',
    options: [option('per')],
    visible_options: null,
    allow_overlapping: false,
    allow_character_annotation: true,
  })
const suggestedSpans = [{ label: 'per', start: 0, end: 3 }]
const record: AnnotationRecord = {
  ...createRecord('r'),
  fields: { body: 'Ada in Rome' },
  suggestions: [
    ['label', 'b'],
    ['spans', suggestedSpans],
  ].map(([name, value]) => ({
    id: `s-${name}`,
    question_id: `id-${name}`,
    type: null,
    value: value as string,
    agent: 'model-1',
    score: null,
    inserted_at: '',
    updated_at: '',
  })),
}
const use = (outcome: string) => ({ outcome, agent: 'model-1' })
const common = { label: { value: 'a', suggested: null } }
const answerOf = (
  questions: readonly Question[],
  accepted: readonly string[],
  given = common,
  status: 'submitted' | 'draft' = 'submitted',
) => bulkAnswerFor(questions, record, suggestedAnswers(questions, record), { status, common: given, accepted: new Set(accepted) })

test('a submit leaves out suggestions in the text that nobody has confirmed, unless they are accepted', () => {
  const optional = [label, spans(false)]
  expect(answerOf(optional, [])).toEqual({
    status: 'submitted',
    values: { label: { value: 'a' } },
    suggestion_outcomes: { label: use('changed') },
  })
  expect(answerOf(optional, ['spans'])).toEqual({
    status: 'submitted',
    values: { label: { value: 'a' }, spans: { value: suggestedSpans } },
    suggestion_outcomes: { label: use('changed'), spans: use('accepted_unseen') },
  })
  expect(answerOf([label, spans(true)], [])).toBeNull()
  expect(answerOf([label, spans(true)], [], common, 'draft')?.values['spans']?.value).toEqual(suggestedSpans)
})

test('accepted suggestions take precedence over the form, and fill required questions that it leaves empty', () => {
  const empty = { label: { value: null, suggested: null } }
  const questions = [label, spans(true)]
  expect(answerOf(questions, ['label', 'spans'])?.values['label']).toEqual({ value: 'b' })
  expect(answerOf(questions, ['label', 'spans'], empty as never)?.suggestion_outcomes).toEqual({
    label: use('accepted_unseen'),
    spans: use('accepted_unseen'),
  })
  expect(answerOf(questions, ['spans'], empty as never)).toBeNull()
})

test('an empty question of the form says nothing about the suggestions of the records', () => {
  const optional = question('label', false, label.settings)
  const answer = answerOf([optional, spans(false)], ['spans'], { label: { value: null, suggested: null } } as never)
  expect(answer?.suggestion_outcomes).toEqual({ spans: use('accepted_unseen') })
})
