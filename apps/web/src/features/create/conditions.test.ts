import type { Condition } from '@postil/contract/conditions.ts'
import { expect, test } from 'vitest'
import { subjectsBefore, withFittingConditions } from './conditions.ts'
import { type Draft, emptyDraft, type QuestionPart } from './draft.ts'
import { faultsOf } from './faults.ts'

const option = (value: string) => ({ value, text: value, description: null })
const labels = (...values: string[]): QuestionPart['settings'] => ({
  type: 'label_selection',
  options: values.map(option),
  visible_options: null,
})
const question = (name: string, settings: QuestionPart['settings'], shown_when?: Condition): QuestionPart => ({
  key: name,
  source: null,
  name,
  title: '',
  description: '',
  required: true,
  settings,
  ...(shown_when && { shown_when }),
})
const condition: Condition = {
  any: [{ question: 'tone', in: ['bad'] }, { all: [{ metadata: 'lang', in: ['de'] }] }],
}
const draft: Draft = {
  ...emptyDraft,
  questions: [question('tone', labels('good', 'bad')), question('why', { type: 'text', use_markdown: false }, condition)],
  properties: [{ key: 'lang', source: null, name: 'lang', title: 'Language', visible: true, settings: { type: 'terms' } }],
}
const conditionIn = ({ questions }: Draft) => questions.find(({ key }) => key === 'why')?.shown_when
const after = (change: Partial<Draft>) => conditionIn(withFittingConditions(draft, { ...draft, ...change }))
const withTone = (tone: Partial<QuestionPart>) => ({
  questions: draft.questions.map((part) => (part.key === 'tone' ? { ...part, ...tone } : part)),
})
const languageRule = { all: [{ metadata: 'lang', in: ['de'] }] }

test('conditions follow renamed questions, properties and labels', () => {
  expect(after(withTone({ name: 'mood' }))).toEqual({ any: [{ question: 'mood', in: ['bad'] }, languageRule] })
  expect(after({ properties: draft.properties.map((part) => ({ ...part, name: 'language' })) })).toEqual({
    any: [{ question: 'tone', in: ['bad'] }, { all: [{ metadata: 'language', in: ['de'] }] }],
  })
  expect(after(withTone({ settings: labels('good', 'angry') }))).toEqual({
    any: [{ question: 'tone', in: ['angry'] }, languageRule],
  })
  // Moved labels keep their meaning.
  expect(after(withTone({ settings: labels('bad', 'good') }))).toEqual(condition)
})

test('rules about removed parts are removed, and a rule without values must be completed', () => {
  expect(after({ questions: draft.questions.slice(1) })).toEqual({ any: [languageRule] })
  expect(after({ properties: [] })).toEqual({ any: [{ question: 'tone', in: ['bad'] }] })
  const alone = withFittingConditions(draft, { ...draft, questions: draft.questions.slice(1), properties: [] })
  expect(conditionIn(alone)).toBeUndefined()
  const lost = withFittingConditions(draft, { ...draft, ...withTone({ settings: labels('good', 'fine', 'well') }) })
  expect(conditionIn(lost)).toEqual({ any: [{ question: 'tone', in: [] }, languageRule] })
  const faultOf = (one: Draft) => faultsOf(one, { taken: new Set(), hasFile: false }).parts.get('why')?.condition ?? false
  expect([faultOf(draft), faultOf(lost)]).toEqual([false, true])
  expect(after(withTone({ settings: { type: 'text', use_markdown: false } }))).toEqual({
    any: [{ question: 'tone', answered: true }, languageRule],
  })
})

test('a condition can refer to earlier questions and to visible metadata', () => {
  const why = draft.questions[1]!
  const namesOf = (one: Draft) => {
    const { questions, properties } = subjectsBefore(one, why)
    return [...questions, ...properties].map(({ name }) => name)
  }
  expect(namesOf(draft)).toEqual(['tone', 'lang'])
  const hidden = { ...draft, properties: draft.properties.map((part) => ({ ...part, visible: false })) }
  expect(namesOf(hidden)).toEqual(['tone'])
  expect(faultsOf(hidden, { taken: new Set(), hasFile: false }).parts.get('why')?.condition).toBe(true)
})
