import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { completeness, createMoves, firstFreeRank, move, rankItem, rankOf, sortByList, toDisplayOrder } from './ranking-order.ts'

const options = ['a', 'b', 'c'].map((value) => ({ value, text: value, description: null }))
const ranked = [
  { value: 'a', rank: 1 },
  { value: 'b', rank: 2 },
  { value: 'c', rank: 3 },
]

describe('ranking', () => {
  test('items can share a rank, and an item can be left unranked', () => {
    const tied = rankItem(ranked, options, 'b', 1)
    expect(tied).toEqual([
      { value: 'a', rank: 1 },
      { value: 'b', rank: 1 },
      { value: 'c', rank: 3 },
    ])
    expect(completeness(tied, options)).toBe('complete')
    expect(completeness(rankItem(ranked, options, 'b', null), options)).toBe('partial')
    expect(completeness(null, options)).toBe('empty')
    expect(rankItem([{ value: 'a', rank: 1 }], options, 'a', null)).toBeNull()
  })

  test('a list without ranks is in order of preference; a list with some ranks keeps them', () => {
    const list = ['c', 'a'].map((value) => ({ value, rank: null }))
    expect(sortByList(list)).toEqual([
      { value: 'c', rank: 1 },
      { value: 'a', rank: 2 },
    ])
    const some = [...list, { value: 'b', rank: 1 }]
    expect(sortByList(some)).toBe(some)
  })

  test('items are ordered by rank', () => {
    const turned = ['c', 'b', 'a'].reduce<ReturnType<typeof rankItem>>(
      (ranking, value, index) => rankItem(ranking, options, value, index + 1),
      null,
    )
    expect(turned?.map(({ value }) => value)).toEqual(['c', 'b', 'a'])
  })

  test('moving swaps places with the item there', () => {
    expect(toDisplayOrder(move(ranked, options, 'c', -1), options)).toEqual(['a', 'c', 'b'])
    expect(move(ranked, options, 'a', -1)).toBe(ranked)
  })

  test('moving into or out of a tie leaves the other items in place', () => {
    const tied = [
      { value: 'a', rank: 1 },
      { value: 'b', rank: 1 },
      { value: 'c', rank: 2 },
    ]
    const down = move(tied, options, 'a', 1)
    expect(['a', 'b', 'c'].map((value) => rankOf(down, value))).toEqual([2, 1, 2])
    expect(move(down, options, 'a', -1)).toEqual(tied)
  })

  test('moving back as often as forward restores the ranking, whatever its ties and gaps', () => {
    const rank = fc.constantFrom(1, 2, 3, null)
    fc.assert(
      fc.property(
        fc.tuple(rank, rank, rank),
        fc.constantFrom<-1 | 1>(-1, 1),
        fc.integer({ min: 1, max: 3 }),
        (ranks, by, count) => {
          const start = options.reduce<ReturnType<typeof rankItem>>(
            (ranking, { value }, index) => rankItem(ranking, options, value, ranks[index]!),
            null,
          )
          const moves = createMoves()
          const path = [start]
          for (let i = 0; i < count; i += 1) {
            const next = moves(path.at(-1)!, options, 'a', by)
            if (next !== path.at(-1)) path.push(next)
          }
          const back = path.slice(1).reduce((ranking) => moves(ranking, options, 'a', by === 1 ? -1 : 1), path.at(-1)!)
          expect(back).toEqual(start)
        },
      ),
    )
  })

  test('moving below the last rank removes the rank, and moving up from there assigns the last rank', () => {
    const without = move(ranked, options, 'c', 1)
    expect(rankOf(without, 'c')).toBeNull()
    expect(rankOf(move(without, options, 'c', -1), 'c')).toBe(3)
  })

  test('selecting items in order of preference ranks them in that order', () => {
    const result = ['c', 'a', 'b'].reduce<ReturnType<typeof rankItem>>(
      (ranking, value) => rankItem(ranking, options, value, firstFreeRank(ranking, options)),
      null,
    )
    expect(toDisplayOrder(result, options)).toEqual(['c', 'a', 'b'])
  })

  test('every option is always shown once and every rank is a valid position', () => {
    const step = fc.tuple(
      fc.constantFrom('a', 'b', 'c'),
      fc.constantFrom<'up' | 'down' | 1 | 2 | 3 | null>('up', 'down', 1, 2, 3, null),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let ranking: ReturnType<typeof rankItem> = null
        for (const [value, to] of steps) {
          if (to === 'up') ranking = move(ranking, options, value, -1)
          else if (to === 'down') ranking = move(ranking, options, value, 1)
          else ranking = rankItem(ranking, options, value, to)
        }
        expect(toDisplayOrder(ranking, options).toSorted()).toEqual(['a', 'b', 'c'])
        for (const item of ranking ?? []) expect([1, 2, 3]).toContain(item.rank)
      }),
    )
  })
})
