import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { validateAnnotationSearch } from './annotation-params.ts'
import { printAnnotationQuery, readAnnotationQuery } from './annotation-search.ts'
import type { AnnotationQuery, Condition, NamedCondition, SortKey, SuggestionCondition } from './grammar.ts'
import { emptyQuery } from './grammar.ts'
import { parseQueryString, printQueryString } from './query-string.ts'

/** Names and values as people give them, with everything that separates something in an address. */
const name = fc
  .oneof(
    fc.string({ minLength: 1, unit: 'grapheme' }),
    fc.string({
      minLength: 1,
      unit: fc.constantFrom('.', '~', '_', '!', '%', '2', 'E', ' ', 'g', 'e', 'a', 'é', '/', '&', '=', '+', '#'),
    }),
    fc.constantFrom(
      'ge5',
      'le-1',
      'GE5',
      'ge.5',
      'Operator',
      'operator',
      'all',
      'values',
      'score',
      '100%25',
      '!2E',
      'a!7Eb',
      '~',
      '.',
      '_',
      'v1.0_rc~2',
      '漢字',
      'مرحبا',
    ),
  )
  .map((text) => text.toWellFormed())
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
)
const terms: fc.Arbitrary<Condition> = fc.record({
  kind: fc.constant('terms' as const),
  values: fc.array(name, { minLength: 1, maxLength: 4 }),
  all: fc.boolean(),
})
const range: fc.Arbitrary<Condition> = fc
  .record({ kind: fc.constant('range' as const), ge: number, le: number }, { requiredKeys: ['kind'] })
  .filter(({ ge, le }) => ge !== undefined || le !== undefined)
const conditions: fc.Arbitrary<NamedCondition[]> = fc.array(fc.record({ name, condition: fc.oneof(terms, range) }), {
  maxLength: 3,
})
const suggestions: fc.Arbitrary<SuggestionCondition[]> = fc.array(
  fc.record({
    name,
    condition: fc.oneof(terms, range),
    property: fc.constantFrom('value' as const, 'score' as const, 'agent' as const),
  }),
  { maxLength: 3 },
)
const order = fc.constantFrom('asc' as const, 'desc' as const)
const sortKey: fc.Arbitrary<SortKey> = fc.oneof(
  fc.record({ entity: fc.constantFrom('record' as const, 'metadata' as const), name, property: fc.constant(null), order }),
  fc.record({
    entity: fc.constantFrom('suggestion' as const, 'response' as const),
    name,
    property: fc.constantFrom('score' as const, 'value' as const),
    order,
  }),
)
const query: fc.Arbitrary<AnnotationQuery> = fc.record({
  page: fc.oneof(
    fc.record({ mode: fc.constant('focus' as const), number: fc.integer({ min: 1, max: 999_999 }) }),
    fc.record({
      mode: fc.constant('bulk' as const),
      start: fc.integer({ min: 1, max: 999_999 }),
      size: fc.integer({ min: 1, max: 1000 }),
    }),
  ),
  status: fc.constantFrom('pending' as const, 'draft' as const, 'submitted' as const, 'discarded' as const),
  search: fc.option(fc.record({ text: name.filter((text) => text.trim() !== ''), field: fc.option(name) })),
  metadata: conditions,
  response: conditions,
  suggestion: suggestions,
  sort: fc.array(sortKey, { maxLength: 3 }),
  similarity: fc.option(
    fc.record({
      recordId: fc.uuid(),
      vector: name,
      limit: fc.integer({ min: 1, max: 1000 }),
      order: fc.constantFrom('most' as const, 'least' as const),
    }),
  ),
})

const throughTheAddress = (wanted: AnnotationQuery): AnnotationQuery =>
  readAnnotationQuery(validateAnnotationSearch(parseQueryString(printQueryString(printAnnotationQuery(wanted)))))

const read = (address: string): AnnotationQuery => readAnnotationQuery(validateAnnotationSearch(parseQueryString(address)))

describe('the query of the annotation page', () => {
  test('comes back from the address as it was written, whatever its names and values contain', () => {
    fc.assert(
      fc.property(query, (wanted) => {
        expect(throughTheAddress(wanted)).toEqual(wanted)
      }),
      { numRuns: 2000 },
    )
  })

  test('reads any address without throwing', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('.', '~', '_', '!', '%', '2', 'g', 'e', 'l', 'a', '&', '=') }), (text) => {
        const keys = ['page', 'search', 'metadata', 'response', 'suggestion', 'sort', 'similarity']
        for (const key of keys) expect(() => read(`?${key}=${text}`)).not.toThrow()
      }),
    )
  })

  test('is as short as its grammar', () => {
    expect(
      printQueryString(
        printAnnotationQuery({
          ...emptyQuery,
          page: { mode: 'bulk', start: 11, size: 10 },
          search: { text: 'angela berlin', field: null },
          metadata: [
            { name: 'source', condition: { kind: 'terms', values: ['web', 'book'], all: false } },
            { name: 'length', condition: { kind: 'range', ge: 50, le: 500 } },
          ],
          sort: [{ entity: 'suggestion', name: 'quality', property: 'score', order: 'asc' }],
        }),
      ),
    ).toBe(
      '?page=11~10&status=pending&search=angela_berlin~all&metadata=source.web.book~length.ge50.le500&sort=suggestion.quality.score.asc',
    )
  })
})

describe('links from before', () => {
  test.each([
    ['?page=3', { page: { mode: 'focus', number: 3 } }],
    ['?page=11~25', { page: { mode: 'bulk', start: 11, size: 25 } }],
    ['?page=0&status=nothing', { page: { mode: 'focus', number: 1 }, status: 'pending' }],
    ['?status=discarded', { status: 'discarded' }],
    ['?search=angela_berlin~all', { search: { text: 'angela berlin', field: null } }],
    ['?search=angela%2520berlin~body', { search: { text: 'angela berlin', field: 'body' } }],
    ['?search=100%25~all', { search: { text: '100%', field: null } }],
    ['?search=wow!~all', { search: { text: 'wow!', field: null } }],
    ['?metadata=length.ge0.5.le1.25', { metadata: [{ name: 'length', condition: { kind: 'range', ge: 0.5, le: 1.25 } }] }],
    ['?metadata=length.le-3', { metadata: [{ name: 'length', condition: { kind: 'range', le: -3 } }] }],
    [
      '?response=topics.operator.and.values.a.b',
      { response: [{ name: 'topics', condition: { kind: 'terms', values: ['a', 'b'], all: true } }] },
    ],
    [
      '?suggestion=topics.value.operator.and.values.topic-09~quality.score.ge0.2~quality.value.ge3.le4~topics.agent.gpt.claude~x.value.values.v1',
      {
        suggestion: [
          { name: 'topics', property: 'value', condition: { kind: 'terms', values: ['topic-09'], all: true } },
          { name: 'quality', property: 'score', condition: { kind: 'range', ge: 0.2 } },
          { name: 'quality', property: 'value', condition: { kind: 'range', ge: 3, le: 4 } },
          { name: 'topics', property: 'agent', condition: { kind: 'terms', values: ['gpt', 'claude'], all: false } },
          { name: 'x', property: 'value', condition: { kind: 'terms', values: ['v1'], all: false } },
        ],
      },
    ],
    [
      '?sort=record.inserted_at.desc~metadata.my.key.asc~suggestion.quality.score.asc',
      {
        sort: [
          { entity: 'record', name: 'inserted_at', property: null, order: 'desc' },
          { entity: 'metadata', name: 'my.key', property: null, order: 'asc' },
          { entity: 'suggestion', name: 'quality', property: 'score', order: 'asc' },
        ],
      },
    ],
    [
      '?similarity=record.0190-a.vector.mini.lm.limit.50.order.least',
      { similarity: { recordId: '0190-a', vector: 'mini.lm', limit: 50, order: 'least' } },
    ],
  ])('%s', (address, expected) => {
    expect(read(address)).toMatchObject(expected)
  })
})
