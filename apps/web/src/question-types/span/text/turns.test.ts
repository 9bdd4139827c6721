import { spanTextOf } from '@postil/contract/question-types/span-text.ts'
import { expect, test } from 'vitest'
import { blocksOf, partAt } from './blocks.ts'
import { clampToTurn } from './turns.ts'

const said = (...contents: readonly string[]) => spanTextOf(contents.map((content) => ({ role: 'user', content })))!

test('a selection ends with the message that it starts in', () => {
  const { text, turns } = said('one two', 'three', 'four')
  const cut = (start: number, end: number) => {
    const range = clampToTurn({ start, end }, turns)
    return text.slice(range.start, range.end)
  }
  expect(cut(4, 12)).toBe('two')
  expect(cut(0, text.length)).toBe('one two')
  expect(cut(8, 11)).toBe('thr')
  expect(clampToTurn({ start: 1, end: 99 }, null)).toEqual({ start: 1, end: 99 })
  expect([0, 6, 7, 8, 13, 14, 18].map((unit) => partAt(turns!, unit))).toEqual([0, 0, 0, 1, 1, 2, 2])
})

test('each message starts a block, even in a long thread', () => {
  const { text, turns } = said(...Array.from({ length: 2000 }, (_, i) => `Message ${i}:\n${'words '.repeat(20)}`))
  const starts = new Set(blocksOf(text, turns).map(({ start }) => start))
  expect(turns!.filter(({ start }) => !starts.has(start))).toEqual([])
  expect(
    blocksOf(text, turns)
      .map(({ start, end }) => text.slice(start, end))
      .join(''),
  ).toBe(text)
  // The same text without messages has fewer blocks, because several lines share a block.
  expect(blocksOf(text).length).toBeLessThan(starts.size)
})
