import { formatDateTime } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { reasonMessage } from '#lib/api/messages.ts'
import type { Line } from '#lib/outbox/types.ts'
import { Button } from '#ui/controls/Button.tsx'
import { CopyButton } from '#ui/controls/CopyButton.tsx'
import { StatusBadge } from '#ui/marks/StatusBadge.tsx'
import { printedLines, printedValues } from '../printed.ts'
import styles from './StuckAnswers.module.css'

/** More of an answer is not shown, in characters: it can be copied whole. */
const longest = 500
const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text)

/** One answer, and why it is stuck. */
export const StuckLine = ({ line, onDrop }: { readonly line: Line; readonly onDrop: () => void }) => {
  const { t } = useTranslation('features/stuck-answers')
  const { trouble, entries } = line
  const last = entries.at(-1)
  if (!trouble || !last) return null
  const { change, made_at } = last
  return (
    <li className={styles['line']}>
      <p className={styles['what']}>
        <StatusBadge status={change.kind === 'save' ? change.status : 'pending'} />
        <time className={styles['quiet']}>{formatDateTime(new Date(made_at).toISOString())}</time>
      </p>
      <p className={styles['reason']}>
        {trouble.kind === 'conflict' ? t('conflict') : (reasonMessage(trouble) ?? t('noReason', { status: trouble.status }))}
      </p>
      {change.kind === 'save' && (
        <dl className={styles['values']}>
          {printedValues(change.values).map(({ name, text }) => (
            <div key={name}>
              <dt>
                <bdi>{name}</bdi>
              </dt>
              <dd dir="auto">{cut(text)}</dd>
            </div>
          ))}
        </dl>
      )}
      <div className={styles['decide']}>
        <CopyButton label={t('copy')} text={printedLines([line])} />
        <Button onClick={onDrop}>{t('drop')}</Button>
      </div>
    </li>
  )
}
