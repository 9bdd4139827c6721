import type { Turn } from '@postil/contract/question-types/span-text.ts'
import type { Range } from '#lib/text/words.ts'

/** The message that a unit lies in; the one before it for a line break between two. */
export const turnAt = (turns: readonly Turn[], unit: number): number => {
  let low = 0
  let high = turns.length - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (turns[middle]!.start <= unit) low = middle
    else high = middle - 1
  }
  return low
}

/** What is selected of the message that it begins in: a span does not go on into the next one. */
export const withinTurn = ({ start, end }: Range, turns: readonly Turn[] | null): Range => {
  const turn = turns?.[turnAt(turns, start)]
  return { start, end: turn ? Math.max(start, Math.min(end, turn.end)) : end }
}
