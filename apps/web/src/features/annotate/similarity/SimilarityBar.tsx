import type { Similarity } from '@postil/contract/annotation-query/grammar.ts'
import type { Field } from '@postil/contract/fields.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useId, useState } from 'react'
import { fieldSlice } from '#field-types/registry.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { vectorsQuery } from '#lib/api/dataset-queries.ts'
import { similarityLimits } from '#lib/url/choices.ts'
import { IconButton } from '#ui/controls/IconButton.tsx'
import { Select } from '#ui/controls/Select.tsx'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { ChevronDownIcon, CloseIcon } from '#ui/marks/first-icons.tsx'
import { ChevronRightIcon } from '#ui/marks/icons.tsx'
import { recordQuery } from '../api.ts'
import styles from './SimilarityBar.module.css'

const ReferenceRecord = lazyPart(() => import('./ReferenceRecord.tsx').then((module) => ({ default: module.ReferenceRecord })), {
  reportsFailure: true,
})

type Props = {
  readonly datasetId: string
  readonly fields: readonly Field[]
  readonly similarity: Similarity
  /** Null ends the similarity search. */
  readonly onSimilarity: (similarity: Similarity | null) => void
}

const previewFields = 2
const previewLength = 30

const truncate = (text: string): string => {
  const letters = [...text.replace(/\s+/g, ' ').trim()]
  return letters.length > previewLength ? `${letters.slice(0, previewLength).join('')}…` : letters.join('')
}

/** The first fields of a record as a short text. */
const previewOf = (record: AnnotationRecord, fields: readonly Field[]) =>
  fields
    .flatMap(({ id, name, title, settings }) => {
      const value = record.fields[name]
      return value === undefined || value === null ? [] : [{ id, title, text: truncate(fieldSlice(settings).plainText(value)) }]
    })
    .slice(0, previewFields)

/** The reference record of a similarity search, its vector, direction and limit, with controls to change them. */
export const SimilarityBar = ({ datasetId, fields, similarity, onSimilarity }: Props) => {
  const { t } = useTranslation('features/annotate')
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const { data: record, isError } = useQuery(recordQuery(similarity.recordId))
  const { data: vectors = [] } = useQuery(vectorsQuery(datasetId))
  const change = (part: Partial<Similarity>): void => onSimilarity({ ...similarity, ...part })
  const limits = [...new Set([...similarityLimits, similarity.limit])].toSorted((a, b) => a - b)
  const names = [...new Set([...vectors.map((vector) => vector.name), similarity.vector])]
  const isShown = isOpen && record !== undefined
  return (
    <>
      <section className={styles['bar']} aria-label={t('similarity.title')} data-keeps-focus="">
        <Select
          label={t('similarity.order')}
          value={similarity.order}
          options={[
            { value: 'most', label: t('similarity.most') },
            { value: 'least', label: t('similarity.least') },
          ]}
          onChange={(order) => change({ order })}
        />
        <span className={styles['reference']}>
          <IconButton
            icon={isOpen ? ChevronDownIcon : ChevronRightIcon}
            label={t('similarity.reference')}
            className={styles['remove']}
            aria-expanded={isShown}
            aria-controls={isShown ? id : undefined}
            aria-disabled={!record || undefined}
            onClick={() => record && setOpen(!isOpen)}
          />
          <span className={styles['preview']}>
            {isError && t('similarity.gone')}
            {record &&
              previewOf(record, fields).map(({ id, title, text }) => (
                <span key={id} className={styles['field']}>
                  <span className={styles['fieldTitle']}>{title}:</span> <bdi>{text}</bdi>
                </span>
              ))}
          </span>
          <IconButton
            icon={CloseIcon}
            label={t('similarity.remove')}
            className={styles['remove']}
            onClick={() => onSimilarity(null)}
          />
        </span>
        {names.length > 1 && (
          <Select
            label={t('similarity.vector')}
            value={similarity.vector}
            options={names.map((name) => ({ value: name, label: vectors.find((vector) => vector.name === name)?.title ?? name }))}
            onChange={(vector) => change({ vector })}
          />
        )}
        <Select
          label={t('similarity.limit')}
          value={String(similarity.limit)}
          options={limits.map((limit) => ({
            value: String(limit),
            label: t('similarity.records', { count: limit, formatted: formatCount(limit) }),
          }))}
          onChange={(limit) => change({ limit: Number(limit) })}
        />
      </section>
      {isShown && (
        <Suspense>
          <ReferenceRecord id={id} record={record} fields={fields} />
        </Suspense>
      )}
    </>
  )
}
