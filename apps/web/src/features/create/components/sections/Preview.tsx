import type { Field } from '@postil/contract/fields.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import { Suspense, useId, useState } from 'react'
import { loadRecordPreview } from '#features/annotate/public.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { IconButton } from '#ui/controls/IconButton.tsx'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { ChevronLeftIcon, ChevronRightIcon } from '#ui/marks/icons.tsx'
import styles from './Preview.module.css'

const RecordPreview = lazyPart(async () => ({ default: await loadRecordPreview() }))

type Props = {
  readonly fields: readonly Field[]
  readonly questions: readonly Question[]
  readonly records: readonly AnnotationRecord[]
  /** Whether the records come from a file. */
  readonly isReal: boolean
}

/** The first records as annotators will see them. */
export const Preview = ({ fields, questions, records, isReal }: Props) => {
  const { t } = useTranslation('features/create')
  const id = useId()
  const [wantedIndex, setWantedIndex] = useState(0)
  const place = Math.max(0, Math.min(wantedIndex, records.length - 1))
  const record = records[place]
  const go = (to: number): void => setWantedIndex(Math.max(0, Math.min(to, records.length - 1)))
  return (
    <section aria-labelledby={id} className={styles['preview']}>
      <div className={styles['head']}>
        <h2 id={id} className={styles['title']}>
          {t('preview.title')}
        </h2>
        {isReal && records.length > 1 && (
          <div className={styles['pager']}>
            <span role="status">{t('preview.place', { place: formatCount(place + 1), total: formatCount(records.length) })}</span>
            <IconButton
              icon={ChevronLeftIcon}
              label={t('preview.previous')}
              aria-disabled={place === 0 || undefined}
              onClick={() => go(place - 1)}
            />
            <IconButton
              icon={ChevronRightIcon}
              label={t('preview.next')}
              aria-disabled={place === records.length - 1 || undefined}
              onClick={() => go(place + 1)}
            />
          </div>
        )}
      </div>
      {record === undefined || fields.length + questions.length === 0 ? (
        <p className={styles['none']}>{t('preview.none')}</p>
      ) : (
        <Suspense fallback={<Skeleton height="9lh" />}>
          <RecordPreview
            // Answers in the preview are reset when the form changes.
            key={JSON.stringify([record, fields, questions])}
            record={record}
            fields={fields}
            questions={questions}
          />
        </Suspense>
      )}
    </section>
  )
}
