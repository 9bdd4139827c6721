import { useQuery } from '@tanstack/react-query'
import { formatDateTime } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { schemaVersionsQuery } from '#lib/api/schema-versions.ts'
import { Select } from '#ui/controls/Select.tsx'
import styles from './agreement.module.css'

type Props = {
  readonly datasetId: string
  /** Null for the answers of all versions. */
  readonly version: number | null
  readonly onChange: (version: number | null) => void
}

/**
 * A menu of the versions of the labels and guidelines. If a version is chosen, the agreement is computed only from the answers
 * that were given under this version. Shown only if there are versions.
 */
export const VersionPicker = ({ datasetId, version, onChange }: Props) => {
  const { t } = useTranslation('features/overview')
  const { data: versions = [] } = useQuery(schemaVersionsQuery(datasetId))
  if (versions.length === 0) return null
  return (
    <div className={styles['version']}>
      <Select
        label={t('agreement.version')}
        value={version === null ? 'all' : String(version)}
        options={[
          { value: 'all', label: t('agreement.allVersions') },
          ...versions.map(({ no, at }) => ({
            value: String(no),
            label: t('agreement.underVersion', { no, date: formatDateTime(at) }),
          })),
          { value: '0', label: t('agreement.beforeVersions') },
        ]}
        onChange={(chosen) => onChange(chosen === 'all' ? null : Number(chosen))}
      />
    </div>
  )
}
