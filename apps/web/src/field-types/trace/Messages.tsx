import type { ToolCall, TraceMessage } from '@postil/contract/trace.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import { useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Json, LongText } from './Json.tsx'
import styles from './Messages.module.css'

/** The number of messages of a long conversation that are shown at first. These are the latest messages. */
const shownAtFirst = 12

const Content = ({ value, search }: { readonly value: JsonValue; readonly search: string | null }) =>
  typeof value === 'string' ? <LongText text={value} search={search} /> : <Json value={value} search={search} />

const Call = ({ call, search }: { readonly call: ToolCall; readonly search: string | null }) => {
  const { t } = useTranslation('field-types/trace')
  return (
    <div className={styles['call']}>
      <span className={styles['role']}>{t('call')}</span>
      <Json name={call.name} value={call.arguments ?? null} search={search} />
    </div>
  )
}

const Message = ({ message, search }: { readonly message: TraceMessage; readonly search: string | null }) => {
  const { role, content = null, tool_calls: calls = [], name } = message
  return (
    <li className={styles['message']} data-role={role}>
      <bdi className={styles['role']}>{name === undefined ? role : `${role} · ${name}`}</bdi>
      {content !== null && content !== '' && <Content value={content} search={search} />}
      {calls.map((call, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls may have no ID, and keep their order
        <Call key={index} call={call} search={search} />
      ))}
    </li>
  )
}

/** The system prompt, folded. */
const SystemPrompt = ({ content, search }: { readonly content: JsonValue; readonly search: string | null }) => {
  const { t } = useTranslation('field-types/trace')
  const [isOpen, setOpen] = useState(false)
  return (
    <li>
      <details className={styles['system']} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{t('systemPrompt')}</summary>
        {isOpen && <Content value={content} search={search} />}
      </details>
    </li>
  )
}

const isSystem = ({ role, tool_calls: calls = [] }: TraceMessage): boolean =>
  (role === 'system' || role === 'developer') && calls.length === 0

/** The messages in the input or the output of a step. Earlier messages of a long conversation are hidden at first. */
export const Messages = ({
  messages,
  search,
}: {
  readonly messages: readonly TraceMessage[]
  readonly search: string | null
}) => {
  const { t } = useTranslation('field-types/trace')
  const [isWhole, setWhole] = useState(messages.length <= shownAtFirst * 1.5)
  const hidden = isWhole ? 0 : messages.length - shownAtFirst
  const isShown = (message: TraceMessage, index: number): boolean => index >= hidden || (index === 0 && isSystem(message))
  return (
    <>
      {hidden > 0 && (
        <Button look="quiet" onClick={() => setWhole(true)}>
          {t('showEarlier', { count: hidden, formatted: formatCount(hidden) })}
        </Button>
      )}
      <ol className={styles['messages']}>
        {messages.map((message, index) => {
          if (!isShown(message, index)) return null
          return isSystem(message) ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: messages have no ID and keep their order
            <SystemPrompt key={index} content={message.content ?? null} search={search} />
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: messages have no ID and keep their order
            <Message key={index} message={message} search={search} />
          )
        })}
      </ol>
    </>
  )
}
