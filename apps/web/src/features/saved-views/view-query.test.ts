import { emptyQuery } from '@postil/contract/annotation-query/grammar.ts'
import { queries } from '@postil/contract/annotation-query/testing/arbitraries.ts'
import { readViewQuery } from '@postil/contract/annotation-query/view-query.ts'
import { ViewQuery } from '@postil/contract/saved-views.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalViewQuery, viewQueryOf } from './view-query.ts'

test('any query that the page can show is a valid view and reads back the same', () => {
  fc.assert(
    fc.property(queries, (query) => {
      const text = viewQueryOf(query)
      fc.pre(text.length <= 8000)
      expect(ViewQuery.safeParse(text)).toEqual({ success: true, data: text })
      const { page: _, ...shown } = query
      expect(readViewQuery(text)).toMatchObject(shown)
      expect(normalViewQuery(text)).toBe(text)
    }),
    { numRuns: 1000 },
  )
})

test('a view starts at the first record and keeps the page size', () => {
  expect(viewQueryOf({ ...emptyQuery, page: { mode: 'focus', number: 12 } })).toBe('page=1&status=pending')
  expect(viewQueryOf({ ...emptyQuery, page: { mode: 'bulk', start: 51, size: 25 } })).toBe('page=1~25&status=pending')
})

test('parts missing from a view get their defaults', () => {
  expect(normalViewQuery('sort=record.inserted_at.desc')).toBe('page=1&status=pending&sort=record.inserted!5Fat.desc')
})
