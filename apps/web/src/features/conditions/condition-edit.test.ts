import { type Condition, rulesOf } from '@postil/contract/conditions.ts'
import type { MetadataProperty } from '@postil/contract/metadata-properties.ts'
import type { Question } from '@postil/contract/questions.ts'
import { describe, expect, it } from 'vitest'
import {
  conditionText,
  dependencyTree,
  isIncomplete,
  newRule,
  parseValues,
  type QuestionNode,
  withRule,
} from './condition-edit.ts'

const common = { dataset_id: '', inserted_at: '', updated_at: '', description: null, required: false }
const labels = (...values: string[]) => values.map((value) => ({ value, text: value.toUpperCase(), description: null }))
const question = (name: string, more: Partial<Question> = {}): Question => ({
  ...common,
  id: name,
  name,
  title: `Title of ${name}`,
  settings: { type: 'text', use_markdown: false },
  ...more,
})
const tone = question('tone', { settings: { type: 'label_selection', options: labels('bad', 'good'), visible_options: null } })
const property = (name: string, settings: MetadataProperty['settings']): MetadataProperty => ({
  ...common,
  id: name,
  name,
  title: `Title of ${name}`,
  settings,
  visible_for_annotators: true,
})
const lang = property('lang', { type: 'terms', values: null })
const subjects = { questions: [tone, question('note')], properties: [lang] }
const words = {
  is: ({ subject, value }: { subject: string; value: string }) => `${subject} is ${value}`,
  isAnswered: ({ subject }: { subject: string }) => `${subject} is answered`,
  and: 'and',
  or: 'or',
}

describe('a condition', () => {
  it('is put into words with titles and texts, and with parentheses only where they are needed', () => {
    const condition: Condition = {
      all: [
        { question: 'tone', in: ['bad', 'gone'] },
        {
          any: [
            { metadata: 'lang', in: ['de'] },
            { question: 'note', answered: true },
          ],
        },
        { any: [{ metadata: 'missing', in: [1] }] },
      ],
    }
    expect(conditionText(condition, subjects, words)).toBe(
      'Title of tone is BAD or gone and (Title of lang is de or Title of note is answered) and missing is 1',
    )
    expect(conditionText({ any: [condition] }, subjects, words)).toBe(conditionText(condition, subjects, words))
  })

  it('starts with a rule about the question before it, or about metadata', () => {
    expect(newRule(subjects)).toEqual({ question: 'note', answered: true })
    expect(newRule({ ...subjects, questions: [tone] })).toEqual({ question: 'tone', in: [] })
    expect(newRule({ ...subjects, questions: [] })).toEqual({ metadata: 'lang', in: [] })
  })

  it('is incomplete while a rule has no values, and is removed with its last rule', () => {
    const nested: Condition = { all: [{ any: [{ question: 'tone', in: [] }] }] }
    expect(isIncomplete(nested)).toBe(true)
    expect(isIncomplete(withRule(nested, 0, { question: 'tone', in: ['bad'] }))).toBe(false)
    expect([isIncomplete(null), withRule(nested, 0, null)]).toEqual([false, null])
  })

  it('contains numbers for numeric metadata', () => {
    expect(parseValues(' de, en ,,de', lang)).toEqual(['de', 'en'])
    expect(parseValues('1, x, 2.5', property('size', { type: 'float', min: null, max: null }))).toEqual([1, 2.5])
  })
})

it('each question is below the last question that it depends on', () => {
  const on = (...names: string[]): Condition => ({ all: names.map((name) => ({ question: name, answered: true })) })
  const questions = [
    question('a'),
    question('b', { shown_when: on('a') }),
    question('c', { shown_when: { all: [{ any: rulesOf(on('a', 'b')) }, { metadata: 'lang', in: ['de'] }] } }),
    question('d', { shown_when: { all: [{ metadata: 'lang', in: ['de'] }] } }),
    question('e', { shown_when: on('a') }),
  ]
  const printed = (nodes: readonly QuestionNode[]): unknown[] =>
    nodes.map((node) => (node.children.length === 0 ? node.question.name : [node.question.name, ...printed(node.children)]))
  expect(printed(dependencyTree(questions))).toEqual([['a', ['b', 'c'], 'e'], 'd'])
})
