import type { Field } from '@postil/contract/fields.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useMemo, useState } from 'react'
import { fieldCreation } from '#field-types/creation.ts'
import { fieldSlice } from '#field-types/registry.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { useSettled } from '#lib/use-settled.ts'
import { Skeleton } from '#ui/waiting/Skeleton.tsx'
import { firstRecordQuery } from '../api.ts'
import styles from './SettingsPage.module.css'

/** For so long nothing is typed before it is drawn anew, in milliseconds. */
const pause = 500

type Props = {
  /** As the form has it. */
  readonly field: Field
  readonly isFaulty: boolean
  /** All fields of its dataset. */
  readonly fields: readonly Field[]
}

/** A record with made-up words, where the dataset has none yet. */
const useMadeUp = (fields: readonly Field[]): AnnotationRecord => {
  const { t } = useTranslation('features/settings')
  return useMemo(() => {
    const sampleOf = ({ title, settings }: Field) => fieldCreation(settings.type).sample(t('questions.sample', { title }))
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

/** The field as annotators will see it on the first record. While it cannot be drawn, as it could be last. */
export const FieldPreview = ({ field, isFaulty, fields }: Props) => {
  const { t } = useTranslation('features/settings')
  const { data: first, isPending } = useQuery(firstRecordQuery(field.dataset_id))
  const madeUp = useMadeUp(fields)
  const { settings, isFaulty: isBroken } = useSettled({ settings: field.settings, isFaulty }, pause)
  const [good, setGood] = useState<Field['settings'] | null>(null)
  if (!isBroken && good !== settings) setGood(settings)
  const record = first ?? madeUp
  const { View } = fieldSlice(field.settings.type)
  return (
    <section className={styles['preview']} aria-label={t('questions.preview', { title: field.title })}>
      <p className={styles['previewMark']}>{first ? t('fields.withFirst') : t('fields.withMadeUp')}</p>
      <Suspense fallback={<Skeleton height="8rem" />}>
        {isPending ? (
          <Skeleton height="8rem" />
        ) : (
          <View
            field={{ ...field, settings: good ?? settings }}
            value={record.fields[field.name] ?? null}
            record={record}
            search={null}
          />
        )}
      </Suspense>
      {isBroken && good !== null && <p className={styles['previewNote']}>{t('fields.before')}</p>}
    </section>
  )
}
