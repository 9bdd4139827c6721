import { formatDateTime } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { reasonMessage } from '#lib/api/messages.ts'
import { answerErrorCode } from '#lib/outbox/answer-error-code.ts'
import type { OutboxLine } from '#lib/outbox/types.ts'
import { Button } from '#ui/controls/Button.tsx'
import { CopyButton } from '#ui/controls/CopyButton.tsx'
import { ErrorCodeText } from '#ui/feedback/ErrorCode.tsx'
import { StatusBadge } from '#ui/marks/StatusBadge.tsx'
import { printLines, printValues } from '../print-answers.ts'
import styles from './AnswerIssues.module.css'

/** Maximum length of the preview of an answer, in characters. The whole answer can be copied. */
const maxLength = 500
const truncate = (text: string): string => (text.length > maxLength ? `${text.slice(0, maxLength)}…` : text)

/** An answer and the reason why the user has to decide about it. */
export const IssueLine = ({ line, onDrop }: { readonly line: OutboxLine; readonly onDrop: () => void }) => {
  const { t } = useTranslation('features/answer-issues')
  const { issue, entries } = line
  const last = entries.at(-1)
  if (!issue || !last) return null
  const { change, made_at } = last
  return (
    <li className={styles['line']}>
      <p className={styles['what']}>
        <StatusBadge status={change.kind === 'save' ? change.status : 'pending'} />
        <time className={styles['quiet']}>{formatDateTime(new Date(made_at).toISOString())}</time>
      </p>
      <p className={styles['reason']}>
        {issue.kind === 'conflict' ? t('conflict') : (reasonMessage(issue) ?? t('noReason', { status: issue.status }))}
      </p>
      {issue.kind === 'rejected' && <ErrorCodeText code={answerErrorCode(line)} />}
      {change.kind === 'save' && (
        <dl className={styles['values']}>
          {printValues(change.values).map(({ name, text }) => (
            <div key={name}>
              <dt>
                <bdi>{name}</bdi>
              </dt>
              <dd dir="auto">{truncate(text)}</dd>
            </div>
          ))}
        </dl>
      )}
      <div className={styles['decide']}>
        <CopyButton label={t('copy')} text={printLines([line])} />
        <Button onClick={onDrop}>{t('drop')}</Button>
      </div>
    </li>
  )
}
