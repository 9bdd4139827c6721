import type { Turn } from '@postil/contract/question-types/span-text.ts'
import type { Range } from '#lib/text/words.ts'
import { partAt } from './blocks.ts'

/** The part of a selection that is in the message where it starts. A span does not continue into the next message. */
export const clampToTurn = ({ start, end }: Range, turns: readonly Turn[] | null): Range => {
  const turn = turns?.[partAt(turns, start)]
  return { start, end: turn ? Math.max(start, Math.min(end, turn.end)) : end }
}
