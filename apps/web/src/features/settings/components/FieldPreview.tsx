import type { Field } from '@postil/contract/fields.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useMemo, useState } from 'react'
import { fieldCreationOf } from '#field-types/creation.ts'
import { fieldSlice } from '#field-types/registry.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { useDebouncedValue } from '#lib/use-debounced-value.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { firstRecordQuery } from '../api.ts'
import styles from './SettingsPage.module.css'

/** Pause in typing before the preview is redrawn, in milliseconds. */
const previewDelay = 500

type Props = {
  /** The field with the form's current values. */
  readonly field: Field
  readonly isFaulty: boolean
  /** All fields of the dataset. */
  readonly fields: readonly Field[]
}

/** Returns a record with sample text, for a dataset without records. */
const useSampleRecord = (fields: readonly Field[]): AnnotationRecord => {
  const { t } = useTranslation('features/settings')
  return useMemo(() => {
    const sampleOf = ({ title, settings }: Field) => fieldCreationOf(settings).sample(t('questions.sample', { title }))
    return {
      id: '',
      dataset_id: '',
      inserted_at: '',
      updated_at: '',
      status: 'pending',
      metadata: null,
      external_id: null,
      fields: Object.fromEntries(fields.map((field) => [field.name, sampleOf(field)])),
    }
  }, [fields, t])
}

/**
 * The field as annotators will see it, with the content of the first record. While the settings are invalid, shows the field with
 * the last valid settings.
 */
export const FieldPreview = ({ field, isFaulty, fields }: Props) => {
  const { t } = useTranslation('features/settings')
  const { data: first, isPending } = useQuery(firstRecordQuery(field.dataset_id))
  const sampleRecord = useSampleRecord(fields)
  const { settings, isFaulty: isBroken } = useDebouncedValue({ settings: field.settings, isFaulty }, previewDelay)
  const [lastValidSettings, setLastValidSettings] = useState<Field['settings'] | null>(null)
  if (!isBroken && lastValidSettings !== settings) setLastValidSettings(settings)
  const record = first ?? sampleRecord
  const { View } = fieldSlice(field.settings)
  return (
    <section className={styles['preview']} aria-label={t('questions.preview', { title: field.title })}>
      <p className={styles['previewMark']}>{first ? t('fields.withFirst') : t('fields.withMadeUp')}</p>
      <Suspense fallback={<Skeleton height="8rem" />}>
        {isPending ? (
          <Skeleton height="8rem" />
        ) : (
          <View
            field={{ ...field, settings: lastValidSettings ?? settings }}
            value={record.fields[field.name] ?? null}
            record={record}
            search={null}
          />
        )}
      </Suspense>
      {isBroken && lastValidSettings !== null && <p className={styles['previewNote']}>{t('fields.before')}</p>}
    </section>
  )
}
