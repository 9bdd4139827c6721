import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import { formatDateTime } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import styles from './RecordInfo.module.css'

const print = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The origin and other details of a record. */
export const RecordInfo = ({ record, onClose }: { readonly record: AnnotationRecord; readonly onClose: () => void }) => {
  const { t } = useTranslation('features/annotate')
  const info: readonly (readonly [string, string])[] = [
    [t('info.id'), record.id],
    ...(record.external_id === null ? [] : [[t('info.externalId'), record.external_id] as const]),
    [t('info.insertedAt'), formatDateTime(record.inserted_at)],
    [t('info.updatedAt'), formatDateTime(record.updated_at)],
  ]
  const metadata = Object.entries(record.metadata ?? {})
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={t('info.title')} wide>
      <table className={styles['table']}>
        <caption className={styles['caption']}>{t('info.record')}</caption>
        <tbody>
          {info.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className={styles['mono']}>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {metadata.length === 0 ? (
        <p className={styles['none']}>{t('info.noMetadata')}</p>
      ) : (
        <table className={styles['table']}>
          <caption className={styles['caption']}>{t('info.metadata')}</caption>
          <tbody>
            {metadata.map(([name, value]) => (
              <tr key={name}>
                <th scope="row">
                  <bdi>{name}</bdi>
                </th>
                <td>
                  <bdi>{print(value)}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Dialog>
  )
}
