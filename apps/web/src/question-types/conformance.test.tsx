import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AnswerValue } from '@postil/contract/answer-value.ts'
import { questionKinds, questionType } from '@postil/contract/question-types/index.ts'
import type { JsonObject } from '@postil/contract/wire/json.ts'
import { defaultLimits } from '@postil/contract/wire/limits.ts'
import type { ComponentProps } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeAll, describe, expect, test } from 'vitest'
import { addTexts } from '#i18n/texts.ts'
import { creationSlice, questionKindsToMake } from './creation-registry.ts'
import { questionSlice, questionSlices } from './registry.ts'
import { settingsSlice } from './settings-registry.ts'

const languages = ['en', 'de', 'es'] as const
const messagesOf = (
  kind: string,
  language: string,
): { readonly name: string; readonly keys: { readonly [key: string]: string } } =>
  JSON.parse(readFileSync(join(import.meta.dirname, kind, `messages.${language}.json`), 'utf8'))

beforeAll(() => {
  for (const kind of ['shared', ...questionKinds]) addTexts('en', `question-types/${kind}`, messagesOf(kind, 'en'))
})

const nearbyFields = ['text', 'other'].map((name) => ({
  name,
  title: name,
  settings: { type: 'text' as const, use_markdown: false },
}))
const shared = { get: () => undefined, set: () => {}, subscribe: () => () => {} }

const propsOf = (kind: (typeof questionKinds)[number], value: AnswerValue | null, suggested: AnswerValue | null = null) => {
  const { settings, fields = {} } = questionType(kind).fixtures
  const question = {
    id: 'q',
    name: 'q',
    title: 'Question',
    description: null,
    required: true,
    dataset_id: 'd',
    inserted_at: '',
    updated_at: '',
    settings,
  }
  const suggestion =
    suggested === null
      ? null
      : { id: 's', question_id: 'q', type: null, agent: 'model', score: null, inserted_at: '', updated_at: '', value: suggested }
  const common = { question, answer: { value, suggested }, suggestion, fields, shared, onChange: () => {} }
  return { ...common, labelledBy: 'title', describedBy: undefined, value } as unknown as ComponentProps<
    ReturnType<typeof questionSlice>['Editor']
  > &
    ComponentProps<ReturnType<typeof questionSlice>['Value']>
}

test('every question type of the contract has a slice under its own name', () => {
  expect(Object.keys(questionSlices).toSorted()).toEqual([...questionKinds].toSorted())
  for (const kind of questionKinds) expect(questionSlice(questionType(kind).fixtures.settings).kind).toBe(kind)
})

test('a question of an unknown type says so in its place, and keeps its answer', () => {
  const settings = { type: 'constructor' }
  const slice = questionSlice(settings)
  const props = propsOf('text', 'some words')
  const question = { ...props.question, settings }
  expect(renderToStaticMarkup(<slice.Editor {...({ ...props, question } as unknown as typeof props)} />)).toContain(
    'questions of type “constructor”',
  )
  expect(renderToStaticMarkup(<slice.Value {...props} />)).toContain('some words')
  expect([null, 'some words'].map((value) => slice.completeness(value as never, settings as never))).toEqual([
    'empty',
    'complete',
  ])
  expect(slice.rules.check('some words', {} as never)).toBeNull()
})

test('a kind that this page lacks is answered as its published type', () => {
  expect(questionSlice({ type: 'rating', postil_kind: 'constructor' }).kind).toBe('rating')
})

describe.each(questionKinds)('%s', (kind) => {
  const { fixtures } = questionType(kind)
  const slice = questionSlice(fixtures.settings)
  beforeAll(() => slice.preload?.(fixtures.settings))
  const completeness = (value: AnswerValue | null) =>
    slice.completeness(value as never, fixtures.settings as never, (fixtures.fields ?? {}) as JsonObject)

  test('is complete with every answer that can be submitted, except an empty text', () => {
    for (const value of fixtures.valid)
      expect(completeness(value), JSON.stringify(value)).toBe(value === '' ? 'empty' : 'complete')
  })

  test("is not complete with an answer that can't be submitted", () => {
    for (const value of fixtures.submittedInvalid) expect(completeness(value), JSON.stringify(value)).not.toBe('complete')
  })

  test('stores only a valid value for an untouched question', () => {
    const untouched = completeness(null) === 'empty' ? null : slice.untouched
    const fault =
      untouched === null
        ? null
        : questionType(kind).rules.check(untouched as AnswerValue, {
            settings: fixtures.settings,
            submitted: true,
            fields: fixtures.fields ?? {},
          })
    expect(fault).toBeNull()
    expect(completeness(null)).toBe(untouched === null ? 'empty' : 'complete')
  })

  test('renders its editor with and without an answer, given or suggested', async () => {
    await slice.preload?.(fixtures.settings)
    for (const value of [null, ...fixtures.valid, ...fixtures.submittedInvalid]) {
      const fixtureValue = renderToStaticMarkup(<slice.Editor {...propsOf(kind, value)} />)
      expect(fixtureValue).toMatch(/<(button|textarea)/)
      expect(fixtureValue).toContain('aria-labelledby="title"')
      expect(renderToStaticMarkup(<slice.Editor {...propsOf(kind, value, value)} />)).toMatch(/<(button|textarea|div)/)
    }
  })

  test('can be filtered by every possible answer if it has a value filter', () => {
    const filter = slice.valueFilter?.(fixtures.settings as never)
    for (const value of filter ? fixtures.valid.flat() : []) {
      if (filter?.by === 'terms') expect(filter.options.map((option) => option.value)).toContain(value)
      if (filter?.by === 'range') expect([value >= (filter.min ?? value), value <= (filter.max ?? value)]).toEqual([true, true])
    }
    expect(filter?.by === 'terms' && filter.combined).toBe(fixtures.valid.some((value) => filter && Array.isArray(value)))
  })

  test('can be created and changed', () => {
    expect(questionKindsToMake).toContain(kind)
    const settings = creationSlice(kind).initial({ values: null, fields: nearbyFields })
    expect(questionType(kind).createSettings(defaultLimits).parse(settings)).toEqual(settings)
    expect(settingsSlice(settings).kind).toBe(kind)
    expect(settingsSlice(settings).fault(settings, settings)).toBeNull()
  })

  test('renders its answers read-only', () => {
    for (const value of fixtures.valid) expect(renderToStaticMarkup(<slice.Value {...propsOf(kind, value)} />)).toMatch(/^<\w+/)
  })

  test.each(languages)('has its name and shortcuts in %s', (language) => {
    const messages = messagesOf(kind, language)
    expect(messages.name).not.toBe('')
    expect(Object.keys(messages.keys).toSorted()).toEqual(slice.shortcuts.map((shortcut) => shortcut.message).toSorted())
  })
})
