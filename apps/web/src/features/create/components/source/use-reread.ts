import type { ImportFile } from '@postil/contract/files/imports.ts'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { announce } from '#ui/feedback/announcer.ts'

/**
 * Reads an uploaded file with other settings. A result that arrives after the file was replaced is ignored.
 * @returns `reread`, the request that is in progress (or null), and the last problem
 */
export const useReread = <Request>(
  file: ImportFile,
  onFile: (file: ImportFile) => void,
  read: (request: Request) => Promise<ImportFile>,
) => {
  const { t } = useTranslation('features/create')
  const [requested, setRequested] = useState<Request | null>(null)
  const [problem, setProblem] = useState<unknown>(null)
  const latest = useRef<{ readonly onFile: typeof onFile; readonly id: string | null }>({ onFile, id: file.id })
  useEffect(() => {
    latest.current = { onFile, id: file.id }
    return () => {
      latest.current = { ...latest.current, id: null }
    }
  })
  const reread = async (request: Request): Promise<void> => {
    setRequested(() => request)
    setProblem(null)
    announce(t('file.reading'))
    try {
      const found = await read(request)
      if (latest.current.id !== file.id) return
      announce(t('file.read', { name: file.name, count: found.columns.length }))
      latest.current.onFile(found)
    } catch (error) {
      setProblem(error)
    } finally {
      setRequested(null)
    }
  }
  return { reread, requested, problem }
}
