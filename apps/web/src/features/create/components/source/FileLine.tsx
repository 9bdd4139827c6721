import { formatBytes } from '#i18n/format-bytes.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { FileIcon } from '#ui/marks/icons.tsx'
import { Notice } from '#ui/telling/Notice.tsx'
import type { FileInForm, HubInForm } from '../../use-creation.ts'
import type { Upload } from '../../use-upload.ts'
import styles from './FileLine.module.css'
import { FilePicker } from './FilePicker.tsx'

type Props = {
  readonly file: Exclude<FileInForm, HubInForm> | null
  readonly upload: Upload
  /** The name of a file that was here before and is not any more. */
  readonly awaited?: string | null
  readonly onRemove: () => void
}

/** The file that records come from, or a place for one. */
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
