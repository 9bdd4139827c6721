import type { Turn } from '@postil/contract/question-types/span-text.ts'
import type { Range } from '#lib/text/words.ts'
import { partAt } from './blocks.ts'

/** Limits a selection to the message in which it starts, because a span never continues into the next message. */
export const clampToTurn = ({ start, end }: Range, turns: readonly Turn[] | null): Range => {
  const turn = turns?.[partAt(turns, start)]
  return { start, end: turn ? Math.max(start, Math.min(end, turn.end)) : end }
}
