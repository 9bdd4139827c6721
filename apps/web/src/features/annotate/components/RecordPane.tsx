import type { Field } from '@postil/contract/fields.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Ref } from 'react'
import { useTranslation } from 'react-i18next'
import type { RecordFilterStatus, TextSearch } from '#lib/url/grammar.ts'
import { StatusBadge } from '#ui/StatusBadge.tsx'
import type { QueueItem } from '../queue/queue.ts'
import type { useRecordScreen } from '../use-record-screen.ts'
import { RecordFields } from './RecordFields.tsx'
import { RecordMenu } from './RecordMenu.tsx'
import styles from './RecordPane.module.css'

type Props = {
  readonly ref: Ref<HTMLDivElement>
  readonly item: QueueItem
  readonly status: RecordFilterStatus
  readonly fields: readonly Field[]
  readonly questions: readonly Question[]
  readonly search: TextSearch | null
  readonly screen: Pick<ReturnType<typeof useRecordScreen>, 'answers' | 'sharedOf' | 'onAnswer' | 'onFocusQuestion'>
}

/** The text beside whose margin the answers are written. */
export const RecordPane = ({ ref, item, status, fields, questions, search, screen }: Props) => {
  const { t } = useTranslation('features/annotate')
  const { record } = item
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <section ref={ref} className={styles['pane']} aria-label={t('record.name')} tabIndex={0} data-status={status}>
      <div className={styles['head']}>
        <StatusBadge status={status} />
        {record.status === 'completed' && status !== 'submitted' && <StatusBadge status="completed" />}
        <RecordMenu record={record} fields={fields} />
      </div>
      <RecordFields
        key={record.id}
        record={record}
        fields={fields}
        questions={questions}
        answers={screen.answers}
        search={search}
        sharedOf={screen.sharedOf}
        onAnswer={screen.onAnswer}
        onFocusQuestion={screen.onFocusQuestion}
      />
    </section>
  )
}
