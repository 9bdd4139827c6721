import type { Question } from '@postil/contract/questions.ts'
import { maxCommentLength } from '@postil/contract/wire/limits.ts'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Select } from '#ui/controls/Select.tsx'
import { TextArea } from '#ui/controls/TextArea.tsx'
import { ProblemText } from '#ui/feedback/ProblemNotice.tsx'
import styles from './Comments.module.css'

type Props = {
  readonly label: string
  readonly action: string
  readonly initial?: string
  /** The questions that the comment can be about. Omitted for replies and when a comment is edited. */
  readonly questions?: readonly Question[]
  /** Stores the text. Rejects if it can't be stored. */
  readonly onSend: (text: string, question: string | null) => Promise<unknown>
  readonly onCancel?: () => void
}

/** The value of the select's first option: the comment is about the whole record. */
const wholeRecord = ''

/** A field for a comment's text. */
export const Composer = ({ label, action, initial = '', questions = [], onSend, onCancel }: Props) => {
  const { t } = useTranslation('features/comments')
  const [text, setText] = useState(initial)
  const [question, setQuestion] = useState(wholeRecord)
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const send = async (): Promise<void> => {
    if (text.trim() === '' || isSending) return
    setSending(true)
    setError(null)
    try {
      await onSend(text.trim(), question === wholeRecord ? null : question)
      setText('')
    } catch (reason) {
      setError(reason)
    } finally {
      setSending(false)
    }
  }
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    void send()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    // The screen around the comments has shortcuts of its own.
    event.stopPropagation()
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send()
    if (event.key !== 'Escape' || !onCancel) return
    event.preventDefault()
    onCancel()
  }
  return (
    <form className={styles['composer']} onSubmit={onSubmit}>
      <TextArea
        className={styles['text']}
        label={label}
        hint={t('mentionHint')}
        maxLength={maxCommentLength}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={onKeyDown}
      />
      {error !== null && (
        <p role="alert">
          <ProblemText error={error} />
        </p>
      )}
      <div className={styles['actions']}>
        {questions.length > 0 && (
          <Select
            label={t('about')}
            value={question}
            options={[
              { value: wholeRecord, label: t('wholeRecord') },
              ...questions.map(({ name, title }) => ({ value: name, label: title })),
            ]}
            onChange={setQuestion}
          />
        )}
        {onCancel && <Button onClick={onCancel}>{t('cancel')}</Button>}
        <Button type="submit" look={onCancel ? 'plain' : 'primary'} busy={isSending} disabled={text.trim() === ''}>
          {action}
        </Button>
      </div>
    </form>
  )
}
