import type { Question } from '@postil/contract/questions.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import { describe, expect, test } from 'vitest'
import { completenessOf, givenAnswers, keptAnswers, missing, sameAnswers, suggestedAnswers, valuesToSend } from './answers.ts'

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

const record = (suggestions: readonly { readonly question: Question; readonly value: unknown }[]): AnnotationRecord => ({
  id: 'r',
  status: 'pending',
  fields: { body: 'Ada in Rome' },
  metadata: null,
  external_id: null,
  dataset_id: 'd',
  inserted_at: '',
  updated_at: '',
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
  test('begin with what is suggested, but not with what the question no longer takes', () => {
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

  test('to a ranking that is suggested, given or kept without ranks have those of the order it comes in', () => {
    const answers = suggestedAnswers(questions, record([{ question: ranking, value: unranked }]))
    expect(answers['ranking']).toEqual({ value: inOrder, suggested: inOrder })
    const given = givenAnswers(questions, { ranking: { value: unranked } })
    expect(given['ranking']).toEqual({ value: inOrder, suggested: null })
    const kept = keptAnswers(questions, { ranking: { value: unranked, suggested: unranked } })
    expect(kept['ranking']).toEqual({ value: inOrder, suggested: inOrder })
    expect(Object.keys(kept)).toEqual(['ranking'])
  })

  test('wait for required questions, and for optional ones that are only begun', () => {
    const names = (values: Parameters<typeof givenAnswers>[1]) =>
      missing(questions, givenAnswers(questions, values)).map((one) => one.name)
    expect(names({})).toEqual(['label'])
    expect(names({ label: { value: 'a' } })).toEqual([])
    expect(names({ label: { value: 'a' }, ranking: { value: [{ value: 'x', rank: 1 }] } })).toEqual(['ranking'])
  })

  test('are sent when they say something; no span is an answer, no text is none', () => {
    const partly = givenAnswers(questions, { ranking: { value: [{ value: 'x', rank: 2 }] }, text: { value: '' } })
    expect(valuesToSend(questions, partly)).toEqual({ ranking: { value: [{ value: 'x', rank: 2 }] }, span: { value: [] } })
  })

  test('with names that objects have of their own are read all the same', () => {
    const odd = question('constructor', true, label.settings)
    const answers = givenAnswers([odd], {})
    expect(completenessOf(odd, answers)).toBe('empty')
    expect(missing([odd], {})).toEqual([odd])
    const proto = question('__proto__', true, label.settings)
    expect(valuesToSend([proto], suggestedAnswers([proto], record([{ question: proto, value: 'a' }])))).toEqual(
      Object.fromEntries([['__proto__', { value: 'a' }]]),
    )
  })

  test('are the same when they say the same, accepted or only suggested', () => {
    const suggested = suggestedAnswers(questions, record([{ question: label, value: 'b' }]))
    expect(sameAnswers(questions, suggested, givenAnswers(questions, { label: { value: 'b' }, span: { value: [] } }))).toBe(true)
    expect(sameAnswers(questions, suggested, givenAnswers(questions, { label: { value: 'a' } }))).toBe(false)
  })

  test('are the same as what was sent of them, also when a ranking is suggested without ranks', () => {
    const suggested = suggestedAnswers(questions, record([{ question: ranking, value: unranked }]))
    const sent = valuesToSend(questions, suggested)
    expect(sent).toEqual({ ranking: { value: inOrder }, span: { value: [] } })
    expect(sameAnswers(questions, suggested, givenAnswers(questions, sent))).toBe(true)
    const other = givenAnswers(questions, { ranking: { value: [{ value: 'y', rank: 1 }] } })
    expect(sameAnswers(questions, suggested, other)).toBe(false)
  })

  test('send a ranking from its first rank to the last, in whatever order it was suggested or stands', () => {
    const turned = inOrder.toReversed()
    const suggested = suggestedAnswers(questions, record([{ question: ranking, value: turned }]))
    expect(valuesToSend(questions, suggested)).toEqual({ ranking: { value: inOrder }, span: { value: [] } })
    expect(sameAnswers(questions, suggested, givenAnswers(questions, { ranking: { value: turned } }))).toBe(true)
  })

  test('have nothing to send of a ranking that is suggested empty', () => {
    const suggested = suggestedAnswers(questions, record([{ question: ranking, value: [] }]))
    expect(valuesToSend(questions, suggested)).toEqual({ span: { value: [] } })
  })
})
