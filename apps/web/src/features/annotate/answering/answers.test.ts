import type { Question } from '@postil/contract/questions.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { preloadQuestionTypes } from '#question-types/registry.ts'
import { createRecord } from '../queue/testing/record.ts'
import {
  answersFromDraft,
  answersFromValues,
  areSameAnswers,
  completenessIn,
  markStored,
  missing,
  outcomesToSend,
  suggestedAnswers,
  valuesToSend,
} from './answers.ts'

const option = (value: string) => ({ value, text: value, description: null })
const base = { description: null, dataset_id: 'd', inserted_at: '', updated_at: '' }
const question = (name: string, required: boolean, settings: Question['settings']): Question => ({
  ...base,
  id: `id-${name}`,
  name,
  title: name,
  required,
  settings,
})

const label = question('label', true, { type: 'label_selection', options: [option('a'), option('b')], visible_options: null })
const ranking = question('ranking', false, { type: 'ranking', options: [option('x'), option('y')] })
const text = question('text', false, { type: 'text', use_markdown: false })
const span = question('span', true, {
  type: 'span',
  field: 'body',
  options: [option('per')],
  visible_options: null,
  allow_overlapping: false,
  allow_character_annotation: true,
})
const questions = [label, ranking, text, span]
// The annotation screen loads the rules of its questions before it shows them.
beforeAll(() => preloadQuestionTypes(questions.map(({ settings }) => settings)))

const record = (suggestions: readonly { readonly question: Question; readonly value: unknown }[]): AnnotationRecord => ({
  ...createRecord('r'),
  fields: { body: 'Ada in Rome' },
  suggestions: suggestions.map(({ question: { id }, value }, index) => ({
    id: `s${index}`,
    question_id: id,
    type: null,
    value: value as string,
    agent: null,
    score: null,
    inserted_at: '',
    updated_at: '',
  })),
})

const unranked = ['y', 'x'].map((value) => ({ value, rank: null }))
const inOrder = unranked.map(({ value }, index) => ({ value, rank: index + 1 }))

describe('answers', () => {
  test('start with the suggestions, except values that the question no longer accepts', () => {
    const answers = suggestedAnswers(
      questions,
      record([
        { question: label, value: 'b' },
        { question: span, value: [{ label: 'gone', start: 0, end: 3 }] },
      ]),
    )
    expect(answers['label']).toEqual({ value: 'b', suggested: 'b' })
    expect(answers['span']).toEqual({ value: null, suggested: null })
  })

  test('to a ranking without ranks get ranks in its given order, whether suggested, given or stored', () => {
    const answers = suggestedAnswers(questions, record([{ question: ranking, value: unranked }]))
    expect(answers['ranking']).toEqual({ value: inOrder, suggested: inOrder })
    const given = answersFromValues(questions, { ranking: { value: unranked } })
    expect(given['ranking']).toMatchObject({ value: inOrder, suggested: null })
    const kept = answersFromDraft(questions, { ranking: { value: unranked, suggested: unranked } })
    expect(kept['ranking']).toEqual({ value: inOrder, suggested: inOrder })
    expect(Object.keys(kept)).toEqual(['ranking'])
  })

  test('require mandatory questions and optional ones that are partly answered', () => {
    const names = (values: Parameters<typeof answersFromValues>[1]) =>
      missing(questions, answersFromValues(questions, values)).map((one) => one.name)
    expect(names({})).toEqual(['label'])
    expect(names({ label: { value: 'a' } })).toEqual([])
    expect(names({ label: { value: 'a' }, ranking: { value: [{ value: 'x', rank: 1 }] } })).toEqual(['ranking'])
  })

  test('are sent if they have content: an empty span list counts, an empty text does not', () => {
    const partly = answersFromValues(questions, { ranking: { value: [{ value: 'x', rank: 2 }] }, text: { value: '' } })
    expect(valuesToSend(questions, partly)).toEqual({ ranking: { value: [{ value: 'x', rank: 2 }] }, span: { value: [] } })
  })

  test('are read even if a question is named like a built-in object member', () => {
    const odd = question('constructor', true, label.settings)
    const answers = answersFromValues([odd], {})
    expect(completenessIn(answers, odd)).toBe('empty')
    expect(missing([odd], {})).toEqual([odd])
    const proto = question('__proto__', true, label.settings)
    expect(valuesToSend([proto], suggestedAnswers([proto], record([{ question: proto, value: 'a' }])))).toEqual(
      Object.fromEntries([['__proto__', { value: 'a' }]]),
    )
  })

  test('with earlier labels are shown with the current ones, and split labels must be chosen again', () => {
    const settings = {
      type: 'label_selection',
      options: ['a', 'b', 'c'].map(option),
      visible_options: null,
      retired: ['c'],
      replaced: [{ from: 'old', to: 'a' }],
      split: [{ from: 'c', into: ['a', 'b'] }],
    } as const
    const changed = question('label', false, settings as unknown as Question['settings'])
    const draft = answersFromDraft([changed], { label: { value: 'old', suggested: 'old' } })
    expect(draft['label']).toEqual({ value: 'a', suggested: 'a' })
    expect(suggestedAnswers([changed], record([{ question: changed, value: 'old' }]))['label']?.value).toBe('a')
    const given = answersFromValues([changed], { label: { value: 'c' } })
    expect(given['label']?.value).toBe('c')
    expect(missing([changed], given)).toEqual([changed])
    expect(valuesToSend([changed], given)).toEqual({ label: { value: 'c' } })
  })

  test('are equal if their values are equal and equally confirmed', () => {
    const suggested = suggestedAnswers(questions, record([{ question: label, value: 'b' }]))
    const values = { label: { value: 'b' }, span: { value: [] } }
    expect(areSameAnswers(questions, suggested, answersFromValues(questions, values))).toBe(false)
    const unseen = { label: { outcome: 'accepted_unseen', agent: null } } as const
    expect(areSameAnswers(questions, suggested, answersFromValues(questions, values, unseen))).toBe(true)
    expect(areSameAnswers(questions, suggested, answersFromValues(questions, { label: { value: 'a' } }))).toBe(false)
  })

  test('are equal to what was sent, even for a ranking suggested without ranks', () => {
    const suggested = suggestedAnswers(questions, record([{ question: ranking, value: unranked }]))
    const sent = valuesToSend(questions, suggested)
    expect(sent).toEqual({ ranking: { value: inOrder }, span: { value: [] } })
    const outcomes = outcomesToSend(questions, record([{ question: ranking, value: unranked }]), suggested)
    expect(areSameAnswers(questions, suggested, answersFromValues(questions, sent, outcomes))).toBe(true)
    const other = answersFromValues(questions, { ranking: { value: [{ value: 'y', rank: 1 }] } })
    expect(areSameAnswers(questions, suggested, other)).toBe(false)
  })

  test('send a ranking from the first rank to the last, whatever the order of its suggestion or value', () => {
    const turned = inOrder.toReversed()
    const suggested = suggestedAnswers(questions, record([{ question: ranking, value: turned }]))
    expect(valuesToSend(questions, suggested)).toEqual({ ranking: { value: inOrder }, span: { value: [] } })
    const outcomes = { ranking: { outcome: 'accepted_unseen', agent: null } } as const
    expect(areSameAnswers(questions, suggested, answersFromValues(questions, { ranking: { value: turned } }, outcomes))).toBe(
      true,
    )
  })

  test('send nothing for an empty suggested ranking', () => {
    const suggested = suggestedAnswers(questions, record([{ question: ranking, value: [] }]))
    expect(valuesToSend(questions, suggested)).toEqual({ span: { value: [] } })
  })
})

describe('the outcome of a suggestion', () => {
  const suggestions = record([
    { question: label, value: 'b' },
    { question: span, value: [{ label: 'per', start: 0, end: 3 }] },
  ])
  const start = suggestedAnswers(questions, suggestions)
  const use = (outcome: string) => ({ outcome, agent: null })

  test('is accepted unseen until the annotator confirms or changes the value', () => {
    expect(outcomesToSend(questions, suggestions, start)).toEqual({
      label: use('accepted_unseen'),
      span: use('accepted_unseen'),
    })
    const edited = { ...start, label: { value: 'b', suggested: null }, span: { value: null, suggested: null } }
    expect(outcomesToSend(questions, suggestions, edited)).toEqual({ label: use('confirmed'), span: use('changed') })
  })

  test('of a stored answer doesn’t change, even if the suggestion has been replaced', () => {
    const values = { label: { value: 'a' }, span: { value: [] } }
    const outcomes = { label: { outcome: 'confirmed', agent: 'model-1' } } as const
    const answers = answersFromValues(questions, values, outcomes)
    expect(outcomesToSend(questions, suggestions, answers)).toEqual(outcomes)
    const edited = { ...answers, span: { value: [{ label: 'per', start: 0, end: 3 }], suggested: null } }
    expect(outcomesToSend(questions, suggestions, edited)).toEqual({ ...outcomes, span: use('confirmed') })
  })

  test('that is unknown stays unknown', () => {
    const answers = answersFromValues(questions, { label: { value: 'b' } }, null)
    expect(outcomesToSend(questions, suggestions, answers)).toBeUndefined()
  })

  test('that was confirmed after the answer was sent is kept when the server confirms the answer', () => {
    const sent = answersFromValues(questions, { label: { value: 'b' } }, { label: { outcome: 'accepted_unseen', agent: null } })
    const shown = { ...start, label: { value: 'b', suggested: null } }
    expect(markStored(questions, shown, sent)['label']).toEqual({ value: 'b', suggested: null })
    expect(markStored(questions, start, sent)['label']).toMatchObject({ suggested: 'b', stored: use('accepted_unseen') })
  })
})
