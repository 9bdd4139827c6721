import { questionKinds, questionTypes } from '@postil/contract/question-types/index.ts'
import { describe, expect, it } from 'vitest'
import { indexKey } from '#platform/db/keys/index-keys.ts'
import { answerIndexRows, metadataIndexRows, suggestionIndexRows } from './index-rows.ts'
import { serverQuestionTypes } from './registry.ts'

describe.each(questionKinds)('%s on the server', (kind) => {
  const type = serverQuestionTypes[kind]
  const { fixtures } = questionTypes[kind]
  it('is registered under its own kind', () => {
    expect(type.kind).toBe(kind)
  })
  it('compares answers if their agreement is measured', () => {
    expect(type.similarity !== undefined).toBe(questionTypes[kind].rules.hasAgreement === true)
  })
  it.each(fixtures.valid.map((value) => [JSON.stringify(value), value] as const))(
    'indexes %s by its filterable values',
    (_, value) => {
      const rows = answerIndexRows({ no: 3, settings: fixtures.settings }, value)
      const empty = Array.isArray(value) && value.length === 0
      expect(rows.terms.length > 0).toBe(type.indexed === 'terms' && !empty)
      expect(rows.numbers.length > 0).toBe(type.indexed === 'numbers' && !empty)
      expect([...rows.terms, ...rows.numbers].every(({ key }) => key === indexKey(3))).toBe(true)
    },
  )
  it('does not index values of another shape', () => {
    for (const other of [[], [{ value: 'a', rank: null }], [{ label: 'a', start: 0, end: 1 }]]) {
      expect(answerIndexRows({ no: 3, settings: fixtures.settings }, other)).toEqual({ terms: [], numbers: [] })
    }
  })
})

describe('index rows', () => {
  it('of a suggestion separate its value, agent, type and scores and never repeat', () => {
    const question = { no: 2, settings: { type: 'multi_label_selection' as const } }
    expect(suggestionIndexRows(question, { value: ['a', 'b', 'a'], agent: 'm', type: 'model', score: [0.5, 0.5, -0] })).toEqual({
      terms: [
        { key: indexKey(2, 'value'), value_key: 'a' },
        { key: indexKey(2, 'value'), value_key: 'b' },
        { key: indexKey(2, 'agent'), value_key: 'm' },
        { key: indexKey(2, 'type'), value_key: 'model' },
      ],
      numbers: [
        { key: indexKey(2, 'score'), number: 0.5 },
        { key: indexKey(2, 'score'), number: 0 },
      ],
    })
    expect(suggestionIndexRows(question, { value: [], agent: null, type: null, score: null })).toEqual({ terms: [], numbers: [] })
  })
  it('of metadata follow the type of the property', () => {
    const rows = (type: 'terms' | 'integer' | 'float', value: never) => metadataIndexRows({ no: 1, settings: { type } }, value)
    expect(rows('terms', ['x', 1, true, null, { a: 1 }, 'x'] as never).terms.map(({ value_key }) => value_key)).toEqual([
      'x',
      '1',
      'true',
      '{"a":1}',
    ])
    expect(rows('terms', null as never).terms).toEqual([])
    expect(rows('integer', true as never).numbers).toEqual([{ key: indexKey(1), number: 1 }])
    expect(rows('float', 0.25 as never).numbers).toEqual([{ key: indexKey(1), number: 0.25 }])
    expect(rows('float', '0.25' as never)).toEqual({ terms: [], numbers: [] })
    expect(rows('terms', 'é'.repeat(500) as never).terms[0]?.value_key.length).toBeLessThan(250)
  })
})
