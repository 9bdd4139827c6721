import type { Condition } from '@postil/contract/annotation-query/grammar.ts'
import { describe, expect, test } from 'vitest'
import type { FilterPlace } from './filters.ts'
import { activeFilters, conditionAt, isFiltered, noFilters, withCondition } from './filters.ts'

const terms = (...values: string[]): Condition => ({ kind: 'terms', values, all: false })
const range = (ge?: number, le?: number): Condition => ({
  kind: 'range',
  ...(ge !== undefined && { ge }),
  ...(le !== undefined && { le }),
})
const source: FilterPlace = { kind: 'metadata', name: 'source' }
const answer: FilterPlace = { kind: 'response', name: 'tone' }
const suggested = (property: 'value' | 'score' | 'agent'): FilterPlace => ({ kind: 'suggestion', name: 'tone', property })

const some = [source, answer, suggested('value'), suggested('score')].reduce(
  (filters, place, index) => withCondition(filters, place, terms(`v${index}`)),
  noFilters,
)

describe('filters', () => {
  test('are found at the place where they were added', () => {
    expect(conditionAt(some, source)).toEqual(terms('v0'))
    expect(conditionAt(some, answer)).toEqual(terms('v1'))
    expect(conditionAt(some, suggested('value'))).toEqual(terms('v2'))
    expect(conditionAt(some, suggested('score'))).toEqual(terms('v3'))
    expect(conditionAt(some, suggested('agent'))).toBeNull()
    expect(conditionAt(some, { kind: 'metadata', name: 'tone' })).toBeNull()
    expect(activeFilters(some).map(({ place }) => place)).toEqual([source, answer, suggested('value'), suggested('score')])
  })

  test('keep their position when they change, and leave the others unchanged', () => {
    const changed = withCondition(some, suggested('value'), range(1))
    expect(activeFilters(changed).map(({ condition }) => condition)).toEqual([terms('v0'), terms('v1'), range(1), terms('v3')])
  })

  test.each([
    ['null', null],
    ['an empty list of values', terms()],
    ['a range without bounds', range()],
  ])('are removed by %s', (_, nothing) => {
    const left = withCondition(some, source, nothing)
    expect(conditionAt(left, source)).toBeNull()
    expect(activeFilters(left)).toHaveLength(3)
    expect(isFiltered(left)).toBe(true)
    expect(isFiltered(withCondition(withCondition(noFilters, answer, range(0)), answer, nothing))).toBe(false)
  })

  test('for the same place in an old link are merged at the next change', () => {
    const twice = { ...noFilters, metadata: ['a', 'b'].map((value) => ({ name: 'source', condition: terms(value) })) }
    expect(activeFilters(withCondition(twice, source, terms('c')))).toEqual([{ place: source, condition: terms('c') }])
  })
})
