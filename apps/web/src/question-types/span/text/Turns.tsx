import type { Turn } from '@postil/contract/question-types/span-text.ts'
import type { ReactNode } from 'react'
import { useMemo } from 'react'
import { bubblesOf } from '#field-types/chat/messages.ts'
import chat from '#field-types/chat/View.module.css'
import { directionOf } from '#lib/text/direction.ts'
import type { Block } from './blocks.ts'
import { partAt } from './blocks.ts'
import styles from './SpanText.module.css'

type Props = {
  readonly text: string
  readonly turns: readonly Turn[]
  readonly blocks: readonly Block[]
  readonly blockAt: (index: number) => ReactNode
}

/** The messages of a conversation, laid out as in a chat field. The speaker isn't part of the text. */
export const Turns = ({ text, turns, blocks, blockAt }: Props) => {
  const bubbles = useMemo(() => bubblesOf(turns), [turns])
  const directions = useMemo(() => turns.map(({ start, end }) => directionOf(text.slice(start, end))), [text, turns])
  return turns.map((turn, index) => {
    const { role, side, colour, showsRole } = bubbles[index]!
    const first = partAt(blocks, turn.start)
    const next = turns[index + 1]
    const end = next ? partAt(blocks, next.start) : blocks.length
    return (
      <div key={turn.start} className={chat['message']} data-side={side} data-colour={colour ?? undefined}>
        {showsRole && <bdi className={`${chat['role']} ${styles['role']}`}>{role}</bdi>}
        <div className={chat['bubble']} dir={directions[index]}>
          {Array.from({ length: end - first }, (_, i) => blockAt(first + i))}
        </div>
      </div>
    )
  })
}
