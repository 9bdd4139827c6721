import type { Field } from '@postil/contract/fields.ts'
import type { FileFormat, FileShape } from '@postil/contract/files/files.ts'
import { isTrainingFormat, questionsFor } from '@postil/contract/files/training-files.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { SearchBodyInput } from '@postil/contract/search.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDateTime } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { href } from '#lib/api/base.ts'
import { checkDownload } from '#lib/api/client.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { snapshotsQuery } from '#lib/api/snapshots.ts'
import { Button } from '#ui/controls/Button.tsx'
import { RadioList } from '#ui/controls/RadioList.tsx'
import { Select } from '#ui/controls/Select.tsx'
import { Switch } from '#ui/controls/Switch.tsx'
import { DownloadIcon } from '#ui/marks/icons.tsx'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import type { DownloadOptions } from '../download-path.ts'
import { downloadPath, formatGroups, tables } from '../download-path.ts'
import styles from './DownloadDialog.module.css'

type Props = {
  readonly datasetId: string
  readonly fields: readonly Field[]
  readonly questions: readonly Question[]
  readonly search: SearchBodyInput | null
  readonly onClose: () => void
}

/** The value of the option for the current records. */
const present = ''

const canOverlap = ({ settings }: Question): boolean => 'allow_overlapping' in settings && settings.allow_overlapping

/** Asks which file to export. The browser downloads it. */
export const DownloadDialog = ({ datasetId, fields, questions, search, onClose }: Props) => {
  const { t } = useTranslation('features/download')
  const [format, setFormat] = useState<FileFormat>('jsonl')
  const [shape, setShape] = useState<FileShape>('wide')
  const [chosen, setChosen] = useState<string | null>(null)
  const [keepsLongest, setKeepsLongest] = useState(false)
  const [escapeFormulas, setEscapeFormulas] = useState(true)
  const [isFiltered, setFiltered] = useState(search !== null)
  const { data: snapshots = [] } = useQuery(snapshotsQuery(datasetId))
  const [at, setAt] = useState(present)
  const [fault, setFault] = useState<string | null>(null)
  const [isChecking, setChecking] = useState(false)
  const fitting = (one: FileFormat): readonly Question[] => (isTrainingFormat(one) ? questionsFor(one, questions, fields) : [])
  const isOffered = (one: FileFormat): boolean => !isTrainingFormat(one) || fitting(one).length > 0
  const asked = fitting(format).find(({ name }) => name === chosen) ?? fitting(format)[0]
  const isTable = tables.includes(format)
  const mayOverlap = format === 'conll' && asked !== undefined && canOverlap(asked)
  const wanted: DownloadOptions = {
    format,
    shape: !isTable && shape === 'long' ? 'wide' : shape,
    question: asked?.name ?? null,
    keepsLongest,
    escapeFormulas,
    search: isFiltered ? search : null,
    at: at === present ? null : at,
  }
  const change =
    <T,>(set: (value: T) => void) =>
    (value: T): void => {
      setFault(null)
      set(value)
    }
  const start = async (): Promise<void> => {
    const path = downloadPath(datasetId, wanted)
    if (mayOverlap && !keepsLongest) {
      setChecking(true)
      const refusal = await checkDownload(path).then(
        () => null,
        (error: unknown) => problemMessage(error),
      )
      setChecking(false)
      setFault(refusal)
      if (refusal !== null) return
    }
    const link = document.createElement('a')
    link.href = href(path)
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
          <Button look="primary" icon={DownloadIcon} busy={isChecking} onClick={() => void start()}>
            {t('start')}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        {(['tables', 'programs', 'training'] as const).map((group) => (
          <RadioList
            key={group}
            legend={t(`groups.${group}`)}
            options={formatGroups[group]
              .filter(isOffered)
              .map((one) => ({ value: one, label: t(`formats.${one}.name`), hint: t(`formats.${one}.hint`) }))}
            value={format}
            onChange={change(setFormat)}
          />
        ))}
        {isTable ? (
          <RadioList
            legend={t('shape')}
            options={(['wide', 'long', 'final'] as const).map((one) => ({ value: one, label: t(`shapes.${one}`) }))}
            value={shape}
            onChange={setShape}
          />
        ) : (
          <RadioList
            legend={t('answers')}
            options={(['wide', 'final'] as const).map((one) => ({ value: one, label: t(`answerShapes.${one}`) }))}
            value={wanted.shape}
            onChange={change(setShape)}
          />
        )}
        {asked !== undefined && fitting(format).length > 1 && (
          <div className={styles['labelled']}>
            <span aria-hidden="true">{t('question')}</span>
            <Select
              label={t('question')}
              value={asked.name}
              options={fitting(format).map(({ name, title }) => ({ value: name, label: title }))}
              onChange={change(setChosen)}
            />
          </div>
        )}
        {mayOverlap && (
          <Switch label={t('longest')} hint={t('longestHint')} checked={keepsLongest} onChange={change(setKeepsLongest)} />
        )}
        {format === 'csv' && (
          <Switch label={t('escape')} hint={t('escapeHint')} checked={escapeFormulas} onChange={setEscapeFormulas} />
        )}
        {fault !== null && (
          <p role="alert" className={styles['fault']}>
            {fault}
          </p>
        )}
        {snapshots.length > 0 && (
          <div className={styles['labelled']}>
            <span aria-hidden="true">{t('at')}</span>
            <Select
              label={t('at')}
              value={at}
              options={[
                { value: present, label: t('now') },
                ...snapshots.map((one) => ({ value: one.id, label: `${one.name} (${formatDateTime(one.at)})` })),
              ]}
              onChange={change(setAt)}
            />
            {at !== present && <p className={styles['hint']}>{t('atHint')}</p>}
          </div>
        )}
        {search !== null && at === present && (
          <Switch label={t('filtered')} hint={t('filteredHint')} checked={isFiltered} onChange={setFiltered} />
        )}
      </div>
    </Dialog>
  )
}
