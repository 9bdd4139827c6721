import type { Turn } from '@postil/contract/question-types/span-text.ts'
import type { Range } from '#lib/text/words.ts'
import { partAt } from './blocks.ts'

/** What is selected of the message that it begins in: a span does not go on into the next one. */
export const withinTurn = ({ start, end }: Range, turns: readonly Turn[] | null): Range => {
  const turn = turns?.[partAt(turns, start)]
  return { start, end: turn ? Math.max(start, Math.min(end, turn.end)) : end }
}
