import { emptyQuery } from '@postil/contract/annotation-query/grammar.ts'
import { expect, test } from 'vitest'
import { ApiError } from '#lib/api/api-error.ts'
import { isRejectedQuery } from './rejected-query.ts'

const rejected = (...loc: readonly string[]) =>
  new ApiError(422, {
    detail: { code: 'argilla.api.errors::ValidationError', params: { errors: [{ type: 'x', loc, msg: '' }] } },
  })
const sentence = new ApiError(422, { detail: 'There is no metadata property `x`' })
const searched = { ...emptyQuery, search: { text: 'x', field: null } }
const sorted = { ...emptyQuery, sort: [{ entity: 'record', name: 'x', property: null, order: 'asc' }] as const }
const filtered = { ...emptyQuery, metadata: [{ name: 'x', condition: { kind: 'range', ge: 1 } }] as const }

test.each([searched, sorted, filtered])(
  'a query may be invalid when it has conditions and the server rejects the search',
  (query) => {
    expect(isRejectedQuery(sentence, query)).toBe(true)
    expect(isRejectedQuery(rejected('body', 'query', 'text'), query)).toBe(true)
  },
)

test('a query isn’t invalid without conditions, when the page is rejected, or for other errors', () => {
  expect(isRejectedQuery(sentence, emptyQuery)).toBe(false)
  expect(isRejectedQuery(rejected('query', 'limit'), filtered)).toBe(false)
  expect(isRejectedQuery(new ApiError(500, undefined), filtered)).toBe(false)
  expect(isRejectedQuery(null, filtered)).toBe(false)
})
