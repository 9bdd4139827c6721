import type { ChatMessage } from '@postil/contract/field-types/chat.ts'
import type { CSSProperties, ReactNode } from 'react'
import { memo, useMemo, useRef } from 'react'
import { useNear } from '#ui/page/use-near.ts'
import { LazyMarkdown } from '../shared/LazyMarkdown.tsx'
import { PlainText } from '../shared/PlainText.tsx'
import type { Bubble } from './messages.ts'
import styles from './View.module.css'

type Props = {
  readonly bubble: Bubble<ChatMessage>
  readonly isMarkdown: boolean
  readonly search: string | null
  /**
   * Whether the message is far out of view in a long thread. If so, the browser doesn't draw it yet, and its Markdown is rendered
   * only when the user scrolls near it.
   */
  readonly isFar: boolean
  /** Content below the message. */
  readonly children?: ReactNode
}

const lettersPerLine = 70

/** Estimates the height of text in lines before the text is drawn. */
const linesOf = (text: string): number => {
  let breaks = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) breaks += 1
  return Math.ceil(text.length / lettersPerLine) + breaks
}

export const Message = memo(({ bubble, isMarkdown, search, isFar, children }: Props) => {
  const { role, content, side, colour, showsRole } = bubble
  const item = useRef<HTMLLIElement>(null)
  const isNear = useNear(item, isFar && isMarkdown)
  // Memoized, because rendering Markdown is slow and the content below a message changes often.
  const body = useMemo(
    () => (isMarkdown && isNear ? <LazyMarkdown text={content} search={search} /> : <PlainText text={content} search={search} />),
    [isMarkdown, isNear, content, search],
  )
  return (
    <li
      ref={item}
      className={styles['message']}
      data-side={side}
      data-colour={colour ?? undefined}
      {...(isFar && { 'data-far': '', style: { '--lines': linesOf(content) } as CSSProperties })}
    >
      {showsRole && <bdi className={styles['role']}>{role}</bdi>}
      <div className={styles['bubble']}>{body}</div>
      {children}
    </li>
  )
})
