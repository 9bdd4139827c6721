import { expect, it } from 'vitest'
import { leftOutParts } from './left-out-parts.ts'

it('lists annotations and comments only as far as they are left out', () => {
  const parts = [
    { part: 'annotations', reason: 'further', rows: 1 },
    { part: 'annotations', reason: 'rejected', rows: 1 },
    { part: 'comments', reason: 'unmapped', rows: 1 },
    { part: 'project', reason: 'technical', rows: 1 },
  ] as const
  const listed = (...uses: readonly ('answers' | 'suggestions' | 'nothing')[]) =>
    leftOutParts(
      parts,
      uses.map((as) => ({ as })),
    ).map(({ reason }) => reason)
  expect(listed()).toEqual(['further', 'rejected', 'unmapped', 'technical'])
  expect(listed('answers', 'nothing')).toEqual(['technical'])
  expect(listed('answers', 'suggestions')).toEqual(['rejected', 'unmapped', 'technical'])
  expect(listed('answers', 'suggestions', 'suggestions')).toEqual(['further', 'rejected', 'unmapped', 'technical'])
})
