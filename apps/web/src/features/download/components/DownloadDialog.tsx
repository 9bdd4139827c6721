import type { FileFormat, FileShape } from '@postil/contract/files/files.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { SearchBodyInput } from '@postil/contract/search.ts'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { href } from '#lib/api/base.ts'
import { Button } from '#ui/controls/Button.tsx'
import { RadioList } from '#ui/controls/RadioList.tsx'
import { Select } from '#ui/controls/Select.tsx'
import { Switch } from '#ui/controls/Switch.tsx'
import { DownloadIcon } from '#ui/marks/icons.tsx'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import type { DownloadOptions } from '../download-path.ts'
import { downloadPath, spanFormats, tables } from '../download-path.ts'
import styles from './DownloadDialog.module.css'

type Props = {
  readonly datasetId: string
  readonly questions: readonly Question[]
  readonly search: SearchBodyInput | null
  readonly onClose: () => void
}

/** Questions whose answers are spans of a text. */
const spanQuestions = (questions: readonly Question[]) => questions.filter(({ settings }) => 'allow_overlapping' in settings)
const canOverlap = ({ settings }: Question): boolean => 'allow_overlapping' in settings && settings.allow_overlapping

/** Asks which file to export. The browser downloads it. */
export const DownloadDialog = ({ datasetId, questions, search, onClose }: Props) => {
  const { t } = useTranslation('features/download')
  const spans = spanQuestions(questions)
  const [format, setFormat] = useState<FileFormat>('jsonl')
  const [shape, setShape] = useState<FileShape>('wide')
  const [question, setQuestion] = useState(spans[0]?.name ?? null)
  const [escapeFormulas, setEscapeFormulas] = useState(true)
  const [isFiltered, setFiltered] = useState(search !== null)
  const formats = [...tables, ...(spans.length > 0 ? spanFormats : [])]
  const asked = spans.find(({ name }) => name === question)
  const isBlocked = format === 'conll' && asked !== undefined && canOverlap(asked)
  const wanted: DownloadOptions = { format, shape, question, escapeFormulas, search: isFiltered ? search : null }
  const start = (): void => {
    const link = document.createElement('a')
    link.href = href(downloadPath(datasetId, wanted))
    link.download = ''
    link.click()
    onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('title')}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button look="primary" icon={DownloadIcon} blocked={isBlocked} onClick={start}>
            {t('start')}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <RadioList
          legend={t('format')}
          options={formats.map((one) => ({ value: one, label: t(`formats.${one}.name`), hint: t(`formats.${one}.hint`) }))}
          value={format}
          onChange={setFormat}
        />
        {tables.includes(format) && (
          <RadioList
            legend={t('shape')}
            options={(['wide', 'long', 'final'] as const).map((one) => ({ value: one, label: t(`shapes.${one}`) }))}
            value={shape}
            onChange={setShape}
          />
        )}
        {!tables.includes(format) && spans.length > 1 && question !== null && (
          <div className={styles['labelled']}>
            <span aria-hidden="true">{t('question')}</span>
            <Select
              label={t('question')}
              value={question}
              options={spans.map(({ name, title }) => ({ value: name, label: title }))}
              onChange={setQuestion}
            />
          </div>
        )}
        {isBlocked && (
          <p role="alert" className={styles['fault']}>
            {t('overlap')}
          </p>
        )}
        {format === 'csv' && (
          <Switch label={t('escape')} hint={t('escapeHint')} checked={escapeFormulas} onChange={setEscapeFormulas} />
        )}
        {search !== null && <Switch label={t('filtered')} hint={t('filteredHint')} checked={isFiltered} onChange={setFiltered} />}
      </div>
    </Dialog>
  )
}
