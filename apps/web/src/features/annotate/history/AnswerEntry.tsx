import type { Question } from '@postil/contract/questions.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { Response } from '@postil/contract/responses.ts'
import { formatDateTime } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { StatusBadge } from '#ui/marks/StatusBadge.tsx'
import { AnswerList } from '../record/AnswerList.tsx'
import styles from './HistoryDialog.module.css'

type Props = {
  readonly answer: Response
  readonly author: string
  readonly record: Pick<AnnotationRecord, 'fields'>
  readonly questions: readonly Question[]
}

/** The values of an answer. */
export const AnswerContent = ({ answer, record, questions }: Omit<Props, 'author'>) => {
  const { t } = useTranslation('features/annotate')
  const values = answer.values ?? {}
  return (
    <div className={styles['content']}>
      <StatusBadge status={answer.status} />
      {Object.keys(values).length === 0 ? (
        <p className={styles['none']}>{t('history.empty')}</p>
      ) : (
        <AnswerList questions={questions} record={record} values={values} />
      )}
    </div>
  )
}

/** The current version of an answer. */
export const AnswerEntry = ({ author, ...content }: Props) => (
  <div className={styles['entry']}>
    <p className={styles['what']}>
      <bdi className={styles['who']}>{author}</bdi>
      <time className={styles['when']}>{formatDateTime(content.answer.updated_at)}</time>
    </p>
    <AnswerContent {...content} />
  </div>
)
