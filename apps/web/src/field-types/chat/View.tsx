import { useMemo } from 'react'
import type { FieldViewProps } from '../define.ts'
import { Message } from './Message.tsx'
import { bubblesOf, messagesOf } from './messages.ts'
import styles from './View.module.css'

/** The first messages of a thread are drawn at once, those that follow when they are near. */
const drawnAtOnce = 20

export const ChatView = ({ field, value, search }: FieldViewProps<'chat'>) => {
  const bubbles = useMemo(() => bubblesOf(messagesOf(value)), [value])
  return (
    <ol className={styles['chat']}>
      {bubbles.map((bubble, index) => (
        <Message
          // biome-ignore lint/suspicious/noArrayIndexKey: messages of one conversation have no other name and never change places
          key={index}
          bubble={bubble}
          isMarkdown={field.settings.use_markdown}
          search={search}
          isFar={index >= drawnAtOnce}
        />
      ))}
    </ol>
  )
}
