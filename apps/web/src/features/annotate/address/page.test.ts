import { emptyQuery } from '@postil/contract/annotation-query/grammar.ts'
import { expect, test } from 'vitest'
import { pageAt, viewOf } from './page.ts'

const bulk = { mode: 'bulk', start: 11, size: 25 } as const

test('bulk view shows pending records only; other statuses open the focus view at the start of the page', () => {
  expect(viewOf({ ...emptyQuery, page: bulk }).page).toBe(bulk)
  for (const status of ['draft', 'submitted', 'discarded'] as const)
    expect(viewOf({ ...emptyQuery, status, page: bulk }).page).toEqual({ mode: 'focus', number: 11 })
})

test('moving to another position keeps the view and its size', () => {
  expect(pageAt(bulk, 36)).toEqual({ mode: 'bulk', start: 36, size: 25 })
  expect(pageAt({ mode: 'focus', number: 3 }, 4)).toEqual({ mode: 'focus', number: 4 })
})
