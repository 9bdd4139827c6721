import { useMemo } from 'react'
import type { FieldViewProps } from '../define.ts'
import { Message } from './Message.tsx'
import { bubblesOf, initialMessageCount, messagesOf } from './messages.ts'
import styles from './View.module.css'

export const ChatView = ({ field, value, search }: FieldViewProps<'chat'>) => {
  const bubbles = useMemo(() => bubblesOf(messagesOf(value)), [value])
  const initialCount = useMemo(() => initialMessageCount(bubbles), [bubbles])
  return (
    <ol className={styles['chat']}>
      {bubbles.map((bubble, index) => (
        <Message
          // biome-ignore lint/suspicious/noArrayIndexKey: the messages of a conversation have no ID and keep their order
          key={index}
          bubble={bubble}
          isMarkdown={field.settings.use_markdown}
          search={search}
          isFar={index >= initialCount}
        />
      ))}
    </ol>
  )
}
