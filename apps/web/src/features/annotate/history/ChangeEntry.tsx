import type { Field } from '@postil/contract/fields.ts'
import type { HistoryChange } from '@postil/contract/history.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import { fieldSlice } from '#field-types/registry.ts'
import { formatDateTime } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { UndoIcon } from '#ui/marks/icons.tsx'
import { AnswerList } from '../record/AnswerList.tsx'
import { AnswerContent } from './AnswerEntry.tsx'
import styles from './HistoryDialog.module.css'

type Props = {
  readonly change: HistoryChange
  readonly record: AnnotationRecord
  readonly fields: readonly Field[]
  readonly questions: readonly Question[]
  readonly nameOf: (userId: string | null) => string
  /** The change that is being restored, or null. */
  readonly restoring: string | null
  /** Null if the user may not restore the change. */
  readonly onRestore: (() => void) | null
}

type RecordBefore = Extract<HistoryChange, { readonly subject: 'record' }>['before']

const RecordContent = ({ before, fields }: { readonly before: RecordBefore; readonly fields: readonly Field[] }) => (
  <dl className={styles['content']}>
    {fields.flatMap(({ id, name, title, settings }) => {
      const value = before.fields[name]
      if (value === undefined || value === null) return []
      return (
        <div key={id}>
          <dt className={styles['none']}>
            <bdi>{title}</bdi>
          </dt>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
          <dd className={styles['text']} dir="auto" tabIndex={0}>
            {fieldSlice(settings).plainText(value)}
          </dd>
        </div>
      )
    })}
    {Object.entries(before.metadata ?? {}).map(([name, value]) => (
      <div key={`metadata ${name}`}>
        <dt className={styles['none']}>
          <bdi>{name}</bdi>
        </dt>
        <dd className={styles['value']} dir="auto">
          {typeof value === 'string' ? value : JSON.stringify(value)}
        </dd>
      </div>
    ))}
  </dl>
)

/** A change: its author, its time and the previous state. */
export const ChangeEntry = ({ change, record, fields, questions, nameOf, restoring, onRestore }: Props) => {
  const { t } = useTranslation('features/annotate')
  const user = nameOf(change.by)
  const what = (): string => {
    if (change.subject === 'record') return t('history.by.record', { user })
    if (change.subject === 'gold') return t('history.by.gold', { user })
    if (change.by === change.before.user_id) return t(`history.own.${change.action}`, { user })
    return t(`history.by.response.${change.action}`, { user, author: nameOf(change.before.user_id) })
  }
  const time = formatDateTime(change.at)
  return (
    <li className={styles['entry']}>
      <p className={styles['what']}>
        <span className={styles['who']}>{what()}</span>
        <time className={styles['when']}>{time}</time>
        {onRestore && (
          <Button
            look="quiet"
            icon={UndoIcon}
            busy={restoring === change.id}
            blocked={restoring !== null}
            aria-label={t('history.restoreWhat', { time })}
            className={styles['restore']}
            onClick={onRestore}
          >
            {t('history.restore')}
          </Button>
        )}
      </p>
      {change.subject === 'response' && <AnswerContent answer={change.before} record={record} questions={questions} />}
      {change.subject === 'record' && <RecordContent before={change.before} fields={fields} />}
      {change.subject === 'gold' && (
        <div className={styles['content']}>
          <AnswerList questions={questions} record={record} values={change.before.values} />
        </div>
      )}
    </li>
  )
}
