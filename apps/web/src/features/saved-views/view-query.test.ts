import { ViewQuery } from '@postil/contract/saved-views.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAnnotationQuery } from '#lib/url/annotation-search.ts'
import { emptyQuery } from '#lib/url/grammar.ts'
import { queries } from '#lib/url/testing/arbitraries.ts'
import { addressOf, normalViewQuery, viewQueryOf } from './view-query.ts'

test('whatever the screen can show is a view that the server takes, and comes back from it', () => {
  fc.assert(
    fc.property(queries, (query) => {
      const text = viewQueryOf(query)
      fc.pre(text.length <= 8000)
      expect(ViewQuery.safeParse(text)).toEqual({ success: true, data: text })
      const { page: _, ...shown } = query
      expect(readAnnotationQuery(addressOf(text))).toMatchObject(shown)
      expect(normalViewQuery(text)).toBe(text)
    }),
    { numRuns: 1000 },
  )
})

test('a view begins at the first record, and keeps how many are shown at once', () => {
  expect(viewQueryOf({ ...emptyQuery, page: { mode: 'focus', number: 12 } })).toBe('page=1&status=pending')
  expect(viewQueryOf({ ...emptyQuery, page: { mode: 'bulk', start: 51, size: 25 } })).toBe('page=1~25&status=pending')
})

test('what a view leaves out is what is usual', () => {
  expect(normalViewQuery('sort=record.inserted_at.desc')).toBe('page=1&status=pending&sort=record.inserted!5Fat.desc')
})
