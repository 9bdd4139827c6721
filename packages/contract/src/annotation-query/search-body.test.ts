import { describe, expect, test } from 'vitest'
import { SearchBody } from '../search.ts'
import { validateAnnotationSearch } from './annotation-params.ts'
import { readAnnotationQuery } from './annotation-search.ts'
import { emptyQuery } from './grammar.ts'
import { parseQueryString } from './query-string.ts'
import { searchBody } from './search-body.ts'

/** The request body of a URL, as the server reads it. */
const bodyOf = (address: string) =>
  SearchBody.parse(searchBody(readAnnotationQuery(validateAnnotationSearch(parseQueryString(address)))))
const queue = [
  { type: 'terms', scope: { entity: 'response', property: 'status' }, values: ['pending'] },
  { type: 'terms', scope: { entity: 'record', property: 'status' }, values: ['pending'] },
]
const filtersOf = (address: string) => bodyOf(address).filters?.and?.slice(queue.length)
const record = '019001ab-0000-7000-8000-000000000001'

describe('the body of a search', () => {
  test('asks for open records without an answer from the current user', () => {
    expect(searchBody(emptyQuery)).toEqual({ filters: { and: queue } })
  })

  test('filters only by status for statuses that include completed records', () => {
    const values = ['submitted']
    expect(bodyOf('?status=submitted').filters?.and).toEqual([{ ...queue[0], values }])
  })

  test.each([
    [
      'metadata=source.web.book',
      [{ type: 'terms', scope: { entity: 'metadata', metadata_property: 'source' }, values: ['web', 'book'] }],
    ],
    ['metadata=length.ge5.le9', [{ type: 'range', scope: { entity: 'metadata', metadata_property: 'length' }, ge: 5, le: 9 }]],
    ['metadata=length.le-1!2E5', [{ type: 'range', scope: { entity: 'metadata', metadata_property: 'length' }, le: -1.5 }]],
    [
      'metadata=a.x~b.ge0',
      [
        { type: 'terms', scope: { entity: 'metadata', metadata_property: 'a' }, values: ['x'] },
        { type: 'range', scope: { entity: 'metadata', metadata_property: 'b' }, ge: 0 },
      ],
    ],
    ['response=tone.calm', [{ type: 'terms', scope: { entity: 'response', question: 'tone' }, values: ['calm'] }]],
    [
      'response=topics.operator.and.values.a.b',
      [
        { type: 'terms', scope: { entity: 'response', question: 'topics' }, values: ['a'] },
        { type: 'terms', scope: { entity: 'response', question: 'topics' }, values: ['b'] },
      ],
    ],
    [
      'suggestion=tone.value.values.calm~tone.score.ge0!2E5~tone.agent.gpt.claude',
      [
        { type: 'terms', scope: { entity: 'suggestion', question: 'tone', property: 'value' }, values: ['calm'] },
        { type: 'range', scope: { entity: 'suggestion', question: 'tone', property: 'score' }, ge: 0.5 },
        { type: 'terms', scope: { entity: 'suggestion', question: 'tone', property: 'agent' }, values: ['gpt', 'claude'] },
      ],
    ],
  ])('%s', (address, expected) => {
    expect(filtersOf(`?${address}`)).toEqual(expected)
  })

  test('sorts in the order of the keys', () => {
    const address =
      '?sort=record.inserted_at.desc~metadata.length.asc~suggestion.tone.score.asc~suggestion.mood.value.desc~response.mood.value.asc'
    expect(bodyOf(address).sort).toEqual([
      { scope: { entity: 'record', property: 'inserted_at' }, order: 'desc' },
      { scope: { entity: 'metadata', metadata_property: 'length' }, order: 'asc' },
      { scope: { entity: 'suggestion', question: 'tone', property: 'score' }, order: 'asc' },
      { scope: { entity: 'suggestion', question: 'mood', property: 'value' }, order: 'desc' },
      { scope: { entity: 'response', question: 'mood' }, order: 'asc' },
    ])
  })

  test("throws for a sort key that records don't have", () => {
    expect(() => bodyOf('?sort=record.nothing.asc')).toThrow()
  })

  test('combines a text search with a similarity search', () => {
    expect(bodyOf(`?search=two_words~body&similarity=record.${record}.vector.mini.limit.10.order.least`).query).toEqual({
      text: { q: 'two words', field: 'body' },
      vector: { name: 'mini', record_id: record, order: 'least_similar' },
    })
    expect(bodyOf(`?similarity=record.${record}.vector.mini.limit.10.order.most`).query?.vector?.order).toBe('most_similar')
  })
})
