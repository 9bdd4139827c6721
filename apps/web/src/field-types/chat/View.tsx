import type { FieldViewProps } from '../define.ts'
import { LazyMarkdown } from '../shared/LazyMarkdown.tsx'
import { PlainText } from '../shared/PlainText.tsx'
import { bubblesOf, messagesOf } from './messages.ts'
import styles from './View.module.css'

export const ChatView = ({ field, value, search }: FieldViewProps<'chat'>) => (
  <ol className={styles['chat']}>
    {bubblesOf(messagesOf(value)).map((bubble, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: messages of one conversation have no other name and never change places
      <li key={index} className={styles['message']} data-side={bubble.side} data-colour={bubble.colour ?? undefined}>
        {bubble.showsRole && <bdi className={styles['role']}>{bubble.role}</bdi>}
        <div className={styles['bubble']}>
          {field.settings.use_markdown ? (
            <LazyMarkdown text={bubble.content} search={search} />
          ) : (
            <PlainText text={bubble.content} search={search} />
          )}
        </div>
      </li>
    ))}
  </ol>
)
