import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { validateAnnotationSearch } from './annotation-params.ts'
import { printAnnotationQuery, readAnnotationQuery } from './annotation-search.ts'
import type { AnnotationQuery } from './grammar.ts'
import { emptyQuery } from './grammar.ts'
import { parseQueryString, printQueryString } from './query-string.ts'
import { queries } from './testing/arbitraries.ts'

const roundTrip = (wanted: AnnotationQuery): AnnotationQuery =>
  readAnnotationQuery(validateAnnotationSearch(parseQueryString(printQueryString(printAnnotationQuery(wanted)))))

const read = (address: string): AnnotationQuery => readAnnotationQuery(validateAnnotationSearch(parseQueryString(address)))

describe('the query of the annotation page', () => {
  test('reads back from the address as it was written, whatever names and values it contains', () => {
    fc.assert(
      fc.property(queries, (wanted) => {
        expect(roundTrip(wanted)).toEqual(wanted)
      }),
      { numRuns: 2000 },
    )
  })

  test('is read from any address without throwing', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('.', '~', '_', '!', '%', '2', 'g', 'e', 'l', 'a', '&', '=') }), (text) => {
        const keys = ['page', 'search', 'metadata', 'response', 'suggestion', 'sort', 'similarity']
        for (const key of keys) expect(() => read(`?${key}=${text}`)).not.toThrow()
      }),
    )
  })

  test('is as short as its grammar allows', () => {
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

describe('links in the old format', () => {
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
