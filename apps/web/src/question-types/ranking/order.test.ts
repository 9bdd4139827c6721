import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asShown, completeness, createMoves, freeRank, inListOrder, move, place, rankOf } from './order.ts'

const options = ['a', 'b', 'c'].map((value) => ({ value, text: value, description: null }))
const ranked = [
  { value: 'a', rank: 1 },
  { value: 'b', rank: 2 },
  { value: 'c', rank: 3 },
]

describe('ranking', () => {
  test('two may share a rank, and one may be left out', () => {
    const tied = place(ranked, options, 'b', 1)
    expect(tied).toEqual([
      { value: 'a', rank: 1 },
      { value: 'b', rank: 1 },
      { value: 'c', rank: 3 },
    ])
    expect(completeness(tied, options)).toBe('complete')
    expect(completeness(place(ranked, options, 'b', null), options)).toBe('partial')
    expect(completeness(null, options)).toBe('empty')
    expect(place([{ value: 'a', rank: 1 }], options, 'a', null)).toBeNull()
  })

  test('a list without any rank is in the order of preference; one with some is as it says', () => {
    const list = ['c', 'a'].map((value) => ({ value, rank: null }))
    expect(inListOrder(list)).toEqual([
      { value: 'c', rank: 1 },
      { value: 'a', rank: 2 },
    ])
    const some = [...list, { value: 'b', rank: 1 }]
    expect(inListOrder(some)).toBe(some)
  })

  test('items lie in the order of their ranks', () => {
    const turned = ['c', 'b', 'a'].reduce<ReturnType<typeof place>>(
      (ranking, value, index) => place(ranking, options, value, index + 1),
      null,
    )
    expect(turned?.map(({ value }) => value)).toEqual(['c', 'b', 'a'])
  })

  test('moving changes places with the one that stands there', () => {
    expect(asShown(move(ranked, options, 'c', -1), options)).toEqual(['a', 'c', 'b'])
    expect(move(ranked, options, 'a', -1)).toBe(ranked)
  })

  test('moving out of a tie or into one leaves the others where they are', () => {
    const tied = [
      { value: 'a', rank: 1 },
      { value: 'b', rank: 1 },
      { value: 'c', rank: 2 },
    ]
    const down = move(tied, options, 'a', 1)
    expect(['a', 'b', 'c'].map((value) => rankOf(down, value))).toEqual([2, 1, 2])
    expect(move(down, options, 'a', -1)).toEqual(tied)
  })

  test('as many moves back as there were forth give the ranking back, whatever ties and gaps it has', () => {
    const rank = fc.constantFrom(1, 2, 3, null)
    fc.assert(
      fc.property(
        fc.tuple(rank, rank, rank),
        fc.constantFrom<-1 | 1>(-1, 1),
        fc.integer({ min: 1, max: 3 }),
        (ranks, by, count) => {
          const start = options.reduce<ReturnType<typeof place>>(
            (ranking, { value }, index) => place(ranking, options, value, ranks[index]!),
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

  test('moving below the last rank takes it, and up from there gives the last', () => {
    const without = move(ranked, options, 'c', 1)
    expect(rankOf(without, 'c')).toBeNull()
    expect(rankOf(move(without, options, 'c', -1), 'c')).toBe(3)
  })

  test('pressing in order of preference ranks in that order', () => {
    const result = ['c', 'a', 'b'].reduce<ReturnType<typeof place>>(
      (ranking, value) => place(ranking, options, value, freeRank(ranking, options)),
      null,
    )
    expect(asShown(result, options)).toEqual(['c', 'a', 'b'])
  })

  test('whatever is done, every option is shown once and every rank is one of the places', () => {
    const step = fc.tuple(
      fc.constantFrom('a', 'b', 'c'),
      fc.constantFrom<'up' | 'down' | 1 | 2 | 3 | null>('up', 'down', 1, 2, 3, null),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let ranking: ReturnType<typeof place> = null
        for (const [value, to] of steps) {
          if (to === 'up') ranking = move(ranking, options, value, -1)
          else if (to === 'down') ranking = move(ranking, options, value, 1)
          else ranking = place(ranking, options, value, to)
        }
        expect(asShown(ranking, options).toSorted()).toEqual(['a', 'b', 'c'])
        for (const item of ranking ?? []) expect([1, 2, 3]).toContain(item.rank)
      }),
    )
  })
})
