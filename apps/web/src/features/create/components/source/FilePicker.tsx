import type { DragEvent } from 'react'
import { useEffect, useId, useRef, useState } from 'react'
import { formatProgress } from '#i18n/format.ts'
import { formatBytes } from '#i18n/format-bytes.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Notice } from '#ui/feedback/Notice.tsx'
import { ProgressBar } from '#ui/loading/ProgressBar.tsx'
import { UploadIcon } from '#ui/marks/icons.tsx'
import type { Upload } from '../../use-upload.ts'
import styles from './FilePicker.module.css'

const endings =
  '.csv,.tsv,.tab,.json,.jsonl,.ndjson,.conll,.conllu,.iob,.iob2,.bio,.bioes,.txt,.text,.md,.parquet,.xlsx,.xlsm,.zip'

type Props = { readonly upload: Upload; readonly look?: 'wide' | 'line'; readonly label: string }

export const FilePicker = ({ upload, look = 'wide', label }: Props) => {
  const { t } = useTranslation('features/create')
  const hintId = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isDragOver, setDragOver] = useState(false)
  const { sending, problem, start, cancel } = upload
  const picker = useRef<HTMLDivElement>(null)
  const isSending = sending !== null
  const wasSending = useRef(isSending)
  useEffect(() => {
    if (wasSending.current === isSending) return
    wasSending.current = isSending
    // Another button has replaced the pressed one, so the focus moves to the new button.
    if (document.activeElement === document.body) picker.current?.querySelector('button')?.focus()
  }, [isSending])

  const textOf = ({ sent, total }: NonNullable<Upload['sending']>): string =>
    sent < total ? t('file.sent', { share: formatProgress(sent / total), total: formatBytes(total) }) : t('file.reading')
  const over = (event: DragEvent): void => {
    event.preventDefault()
    setDragOver(true)
  }
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setDragOver(false)
    const [file] = event.dataTransfer.files
    if (file) start(file)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button does the same as dropping a file
    <div
      ref={picker}
      className={styles['picker']}
      data-look={look}
      data-over={isDragOver ? '' : undefined}
      onDragOver={over}
      onDragLeave={() => setDragOver(false)}
      onDrop={drop}
    >
      <input
        ref={input}
        type="file"
        accept={endings}
        hidden
        onChange={(event) => {
          const [file] = event.target.files ?? []
          // Allows choosing the same file again after it was fixed.
          event.target.value = ''
          if (file) start(file)
        }}
      />
      {sending ? (
        <div className={styles['sending']}>
          <p className={styles['name']}>
            <bdi>{sending.name}</bdi>
          </p>
          <ProgressBar
            label={t('file.progress', { name: sending.name })}
            value={sending.sent}
            total={sending.total}
            text={textOf(sending)}
          />
          <p role="status" className={styles['waiting']}>
            {sending.isWaiting && t('file.waiting')}
          </p>
          <Button onClick={cancel}>{t('cancel')}</Button>
        </div>
      ) : (
        <div className={styles['choose']}>
          <Button
            icon={UploadIcon}
            look={look === 'wide' ? 'primary' : 'plain'}
            aria-describedby={hintId}
            onClick={() => input.current?.click()}
          >
            {label}
          </Button>
          <p id={hintId} className={styles['hint']}>
            {t('file.hint')}
          </p>
        </div>
      )}
      {problem && (
        <div role="alert" className={styles['problem']}>
          <Notice kind="danger">{t('file.refused', { name: problem.name, reason: problem.reason })}</Notice>
        </div>
      )}
    </div>
  )
}
