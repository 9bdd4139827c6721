import type { ImportFile } from '@postil/contract/files/imports.ts'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Select } from '#ui/controls/Select.tsx'
import { announce } from '#ui/feedback/announcer.ts'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import { readSheet } from '../../api.ts'
import styles from './SheetChoice.module.css'

type Props = {
  /** Null for a dataset that does not exist yet. */
  readonly datasetId: string | null
  readonly file: ImportFile
  readonly onFile: (file: ImportFile) => void
  /** Called with true when another sheet starts to load, and with false when loading ends. */
  readonly onReading: (isReading: boolean) => void
}

/** Selects which sheet of a workbook the rows are read from. Renders nothing if there is only one. */
export const SheetChoice = ({ datasetId, file, onFile, onReading }: Props) => {
  const { t } = useTranslation('features/create')
  const [requestedSheet, setRequestedSheet] = useState<string | null>(null)
  const [problem, setProblem] = useState<unknown>(null)
  const last = useRef<string | null>(null)
  const lastAnnounced = useRef({ onFile, onReading })
  useEffect(() => {
    lastAnnounced.current = { onFile, onReading }
  })
  // Removing the file cancels reading its sheets.
  useEffect(
    () => () => {
      if (last.current !== null) lastAnnounced.current.onReading(false)
      last.current = null
    },
    [],
  )
  if (file.sheets.length < 2) return null
  const choose = async (sheet: string): Promise<void> => {
    last.current = sheet
    setRequestedSheet(sheet)
    setProblem(null)
    lastAnnounced.current.onReading(true)
    announce(t('file.reading'))
    try {
      const found = await readSheet(datasetId, file.id, sheet)
      if (last.current !== sheet) return
      announce(t('file.read', { name: sheet, count: found.columns.length }))
      lastAnnounced.current.onFile(found)
    } catch (error) {
      if (last.current === sheet) setProblem(error)
    } finally {
      if (last.current === sheet) {
        last.current = null
        setRequestedSheet(null)
        lastAnnounced.current.onReading(false)
      }
    }
  }
  return (
    <div className={styles['choice']}>
      <span className={styles['label']}>{t('file.sheet')}</span>
      <Select
        label={t('file.sheet')}
        value={requestedSheet ?? file.sheet ?? ''}
        options={file.sheets.map((name) => ({ value: name, label: name }))}
        onChange={(sheet) => void choose(sheet)}
      />
      {requestedSheet !== null && <span className={styles['label']}>{t('file.reading')}</span>}
      {problem !== null && (
        <div className={styles['problem']}>
          <ProblemNotice error={problem} isAlert />
        </div>
      )}
    </div>
  )
}
