import { useMemo } from 'react'
import type { FieldViewProps } from '../define.ts'
import { Message } from './Message.tsx'
import { bubblesOf, firstDrawn, messagesOf } from './messages.ts'
import styles from './View.module.css'

export const ChatView = ({ field, value, search }: FieldViewProps<'chat'>) => {
  const bubbles = useMemo(() => bubblesOf(messagesOf(value)), [value])
  const drawnAtOnce = useMemo(() => firstDrawn(bubbles), [bubbles])
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
