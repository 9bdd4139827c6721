import type { ImportFile } from '@postil/contract/files/imports.ts'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Select } from '#ui/controls/Select.tsx'
import { announce } from '#ui/telling/announcer.ts'
import { ProblemNotice } from '#ui/telling/ProblemNotice.tsx'
import { readSheet } from '../../api.ts'
import styles from './SheetChoice.module.css'

type Props = {
  /** Null for a dataset that does not exist yet. */
  readonly datasetId: string | null
  readonly file: ImportFile
  readonly onFile: (file: ImportFile) => void
  /** Whether another sheet than that of the file is chosen, and on its way. */
  readonly onReading: (isReading: boolean) => void
}

/** Which sheet of a workbook the rows are read from; nothing where there is no choice. */
export const SheetChoice = ({ datasetId, file, onFile, onReading }: Props) => {
  const { t } = useTranslation('features/create')
  const [wanted, setWanted] = useState<string | null>(null)
  const [problem, setProblem] = useState<unknown>(null)
  const last = useRef<string | null>(null)
  const told = useRef({ onFile, onReading })
  useEffect(() => {
    told.current = { onFile, onReading }
  })
  // Who takes the file away wants none of its sheets.
  useEffect(
    () => () => {
      if (last.current !== null) told.current.onReading(false)
      last.current = null
    },
    [],
  )
  if (file.sheets.length < 2) return null
  const choose = async (sheet: string): Promise<void> => {
    last.current = sheet
    setWanted(sheet)
    setProblem(null)
    told.current.onReading(true)
    announce(t('file.reading'))
    try {
      const found = await readSheet(datasetId, file.id, sheet)
      if (last.current !== sheet) return
      announce(t('file.read', { name: sheet, count: found.columns.length }))
      told.current.onFile(found)
    } catch (error) {
      if (last.current === sheet) setProblem(error)
    } finally {
      if (last.current === sheet) {
        last.current = null
        setWanted(null)
        told.current.onReading(false)
      }
    }
  }
  return (
    <div className={styles['choice']}>
      <span className={styles['label']}>{t('file.sheet')}</span>
      <Select
        label={t('file.sheet')}
        value={wanted ?? file.sheet ?? ''}
        options={file.sheets.map((name) => ({ value: name, label: name }))}
        onChange={(sheet) => void choose(sheet)}
      />
      {wanted !== null && <span className={styles['label']}>{t('file.reading')}</span>}
      {problem !== null && (
        <div className={styles['problem']}>
          <ProblemNotice error={problem} isAlert />
        </div>
      )}
    </div>
  )
}
