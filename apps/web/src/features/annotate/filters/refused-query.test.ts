import { expect, test } from 'vitest'
import { ApiError } from '#lib/api/api-error.ts'
import { emptyQuery } from '#lib/url/grammar.ts'
import { isRefusedQuery } from './refused-query.ts'

const refused = (...loc: readonly string[]) =>
  new ApiError(422, {
    detail: { code: 'argilla.api.errors::ValidationError', params: { errors: [{ type: 'x', loc, msg: '' }] } },
  })
const sentence = new ApiError(422, { detail: 'There is no metadata property `x`' })
const searched = { ...emptyQuery, search: { text: 'x', field: null } }
const sorted = { ...emptyQuery, sort: [{ entity: 'record', name: 'x', property: null, order: 'asc' }] as const }
const filtered = { ...emptyQuery, metadata: [{ name: 'x', condition: { kind: 'range', ge: 1 } }] as const }

test.each([searched, sorted, filtered])('what is asked for may be what the server refuses', (query) => {
  expect(isRefusedQuery(sentence, query)).toBe(true)
  expect(isRefusedQuery(refused('body', 'query', 'text'), query)).toBe(true)
})

test('it is not where nothing is asked for, where the page is refused, and where something else happened', () => {
  expect(isRefusedQuery(sentence, emptyQuery)).toBe(false)
  expect(isRefusedQuery(refused('query', 'limit'), filtered)).toBe(false)
  expect(isRefusedQuery(new ApiError(500, undefined), filtered)).toBe(false)
  expect(isRefusedQuery(null, filtered)).toBe(false)
})
