import type { Dataset } from '@postil/contract/datasets.ts'
import type { Field } from '@postil/contract/fields.ts'
import type { Question } from '@postil/contract/questions.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { loadRecordReading } from '#features/annotate/public.ts'
import { loadComments } from '#features/comments/public.ts'
import { RequestButton } from '#features/review/public.ts'
import { formatDateTime } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { comparisonQuery, reviewSettingsQuery } from '#lib/api/review-queries.ts'
import { recordLink } from '#lib/url/record-link.ts'
import { buttonClass } from '#ui/controls/button-class.ts'
import { CopyButton } from '#ui/controls/CopyButton.tsx'
import { IconButton } from '#ui/controls/IconButton.tsx'
import { EmptyState } from '#ui/feedback/EmptyState.tsx'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { CloseIcon } from '#ui/marks/first-icons.tsx'
import { StatusBadge } from '#ui/marks/StatusBadge.tsx'
import { recordAgreementQuery, recordQuery } from '../api.ts'
import type { People } from '../people.ts'
import { measuredIn } from '../table/columns.ts'
import { AnswersTable } from './AnswersTable.tsx'
import styles from './RecordPanel.module.css'

const RecordReading = lazyPart(async () => ({ default: await loadRecordReading() }))

const Comments = lazyPart(async () => ({ default: await loadComments() }))

type Props = {
  readonly recordId: string
  readonly dataset: Dataset
  readonly fields: readonly Field[]
  readonly questions: readonly Question[]
  readonly people: People
  readonly onClose: () => void
}

const noAgreement = {}
const print = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** One record next to the table: as annotators see it, with everyone's answers and its metadata. */
export const RecordPanel = ({ recordId, dataset, fields, questions, people, onClose }: Props) => {
  const { t } = useTranslation('features/records')
  const { t: common } = useTranslation()
  const { data, error } = useQuery(recordQuery(recordId))
  const isMeasured = measuredIn(dataset, questions).length > 0
  const { data: agreement = noAgreement } = useQuery({ ...recordAgreementQuery(dataset.id, recordId), enabled: isMeasured })
  const { data: review } = useQuery(reviewSettingsQuery(dataset.id))
  const isReviewed = review !== undefined && review.mode !== 'off' && review.can_review
  const { data: comparison } = useQuery({ ...comparisonQuery(recordId), enabled: isReviewed })
  const isElsewhere = data !== undefined && data.dataset_id !== dataset.id
  const record = isElsewhere ? undefined : data
  const details: readonly (readonly [string, string])[] = record
    ? [
        [t('panel.id'), record.id],
        ...(record.external_id === null ? [] : [[t('panel.externalId'), record.external_id] as const]),
        [t('panel.inserted'), formatDateTime(record.inserted_at)],
        [t('column.updated_at'), formatDateTime(record.updated_at)],
        ...Object.entries(record.metadata ?? {}).map(([name, value]) => [name, print(value)] as const),
      ]
    : []
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
    <section className={styles['panel']} aria-label={t('panel.title')} aria-busy={!record && !error} tabIndex={0}>
      <div className={styles['head']}>
        <h2 className={styles['title']}>
          <bdi>{record?.external_id ?? recordId}</bdi>
        </h2>
        {record && <StatusBadge status={record.status} />}
        <span className={styles['tools']}>
          {isReviewed && record && (
            <Link
              to="/dataset/$datasetId/review"
              params={{ datasetId: dataset.id }}
              search={{ record: recordId }}
              className={buttonClass('plain')}
            >
              {t('panel.review')}
            </Link>
          )}
          <CopyButton label={t('panel.copyLink')} text={recordLink(dataset.id, recordId)} />
          <IconButton icon={CloseIcon} label={common('action.close')} onClick={onClose} />
        </span>
      </div>
      {(error || isElsewhere) && <EmptyState title={t('panel.unknown')} hint={t('panel.unknownHint')} />}
      {!record && !error && !isElsewhere && <Skeleton height="9lh" />}
      {record && (
        <>
          <Suspense fallback={<Skeleton height="6lh" />}>
            <RecordReading record={record} fields={fields} />
          </Suspense>
          <h3 className={styles['subtitle']}>{t('panel.answers')}</h3>
          <AnswersTable
            record={record}
            questions={questions}
            people={people}
            agreement={agreement}
            gold={comparison?.gold ?? null}
          />
          <RequestButton datasetId={dataset.id} target={{ record_ids: [recordId] }} count={1} onDone={() => undefined} />
          <h3 className={styles['subtitle']}>{t('panel.comments')}</h3>
          <Suspense fallback={<Skeleton height="4lh" />}>
            <Comments key={recordId} recordId={recordId} questions={questions} />
          </Suspense>
          <h3 className={styles['subtitle']}>{t('panel.details')}</h3>
          <dl className={styles['details']}>
            {details.map(([name, value]) => (
              <div key={name}>
                <dt>
                  <bdi>{name}</bdi>
                </dt>
                <dd>
                  <bdi>{value}</bdi>
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </section>
  )
}
