import type { Correction } from '@postil/contract/corrections.ts'
import type { Field } from '@postil/contract/fields.ts'
import type { Question } from '@postil/contract/questions.ts'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { QuestionValue } from '#question-types/QuestionValue.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import styles from './CorrectionCard.module.css'
import { GoldMark } from './GoldMark.tsx'
import { RecordReading } from './parts.ts'

type Props = {
  readonly correction: Correction
  readonly fields: readonly Field[]
  readonly questions: readonly Question[]
}

/** A record with the user's answers next to the final answers. */
export const CorrectionCard = ({ correction: { record, questions: corrected }, fields, questions }: Props) => {
  const { t } = useTranslation('features/review')
  const shown = corrected.flatMap((one) => {
    const question = questions.find(({ name }) => name === one.name)
    return question ? [{ ...one, question }] : []
  })
  return (
    <article className={styles['card']}>
      <section
        className={styles['record']}
        aria-label={t('record')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
        tabIndex={0}
      >
        <Suspense fallback={<Skeleton height="3lh" />}>
          <RecordReading record={record} fields={fields} />
        </Suspense>
      </section>
      {shown.map(({ question, value, final, ...decided }) => (
        <section key={question.id} className={styles['question']} aria-label={question.title}>
          <h2 className={styles['title']}>
            <bdi>{question.title}</bdi>
          </h2>
          <dl className={styles['answers']}>
            <div>
              <dt>{t('corrections.own')}</dt>
              <dd>
                {value === null ? (
                  t('corrections.noAnswer')
                ) : (
                  <QuestionValue question={question} fields={record.fields} value={value} other={final} isCompared />
                )}
              </dd>
            </div>
            <div>
              <dt>{t('corrections.final')}</dt>
              <dd>
                <QuestionValue question={question} fields={record.fields} value={final} isCompared />
                <GoldMark answer={decided} />
              </dd>
            </div>
          </dl>
        </section>
      ))}
      <Link
        to="/dataset/$datasetId/record/$recordId"
        params={{ datasetId: record.dataset_id, recordId: record.id }}
        className={styles['link']}
      >
        {t('corrections.open')}
      </Link>
    </article>
  )
}
