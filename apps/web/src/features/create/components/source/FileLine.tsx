import { formatBytes } from '#i18n/format-bytes.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Notice } from '#ui/feedback/Notice.tsx'
import { FileIcon } from '#ui/marks/icons.tsx'
import type { FileInForm, HubSourceInForm } from '../../use-creation.ts'
import type { Upload } from '../../use-upload.ts'
import styles from './FileLine.module.css'
import { FilePicker } from './FilePicker.tsx'

type Props = {
  readonly file: Exclude<FileInForm, HubSourceInForm> | null
  readonly upload: Upload
  /** The name of a file that no longer exists. */
  readonly awaited?: string | null
  readonly onRemove: () => void
}

/** The file that records come from, or a file picker. */
export const FileLine = ({ file, upload, awaited = null, onRemove }: Props) => {
  const { t } = useTranslation('features/create')
  if (file === null)
    return (
      <>
        {awaited === null ? (
          <p className={styles['hint']}>{t('file.none')}</p>
        ) : (
          <div className={styles['awaited']}>
            <Notice kind="warning">{t('file.awaited', { name: awaited })}</Notice>
          </div>
        )}
        <FilePicker upload={upload} look="line" label={t('file.choose')} />
      </>
    )
  return (
    <div className={styles['line']}>
      <FileIcon />
      <span className={styles['name']}>
        <bdi>{file.name}</bdi>{' '}
        <span className={styles['size']}>{t('file.about', { size: formatBytes(file.size), count: file.columns.length })}</span>
      </span>
      <Button look="quiet" onClick={onRemove}>
        {t('file.remove')}
      </Button>
    </div>
  )
}
