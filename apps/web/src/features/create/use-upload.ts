import type { ImportFile } from '@postil/contract/files/imports.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { uploadPartSize } from '#lib/constants.ts'
import { announce } from '#ui/feedback/announcer.ts'
import { sendFile } from './api.ts'
import { dropUploadedParts, uploadInParts } from './upload-in-parts.ts'

type UploadProgress = {
  readonly name: string
  readonly sent: number
  readonly total: number
  /** Whether the server is unreachable. The upload resumes automatically. */
  readonly isWaiting: boolean
}
export type Upload = {
  /** The file that is being uploaded, or null. Sizes are in bytes. */
  readonly sending: UploadProgress | null
  /** Why the last file was rejected. Null if it was accepted or canceled. */
  readonly problem: { readonly name: string; readonly reason: string } | null
  readonly start: (file: File) => void
  readonly cancel: () => void
}

/** Uploads a file and reports the progress. @param datasetId null for a dataset that does not exist yet */
export const useUpload = (datasetId: string | null, onFile: (file: ImportFile) => void): Upload => {
  const { t } = useTranslation('features/create')
  const [sending, setSending] = useState<UploadProgress | null>(null)
  const [problem, setProblem] = useState<Upload['problem']>(null)
  const running = useRef<AbortController | null>(null)
  const sent = useRef<File | null>(null)
  const latestOnFile = useRef(onFile)
  useEffect(() => {
    latestOnFile.current = onFile
  })
  useEffect(() => () => running.current?.abort(), [])

  const start = useCallback(
    (file: File): void => {
      running.current?.abort()
      const controller = new AbortController()
      running.current = controller
      const { name, size } = file
      setProblem(null)
      setSending({ name, sent: 0, total: size, isWaiting: false })
      const onProgress = (sent: number, total: number) => setSending((now) => now && { ...now, sent, total })
      const onWaiting = (isWaiting: boolean) => setSending((now) => now && { ...now, isWaiting })
      const { signal } = controller
      sent.current = file
      const upload =
        size > uploadPartSize
          ? uploadInParts(datasetId, file, { signal, onProgress, onWaiting })
          : sendFile(datasetId, file, { signal, onProgress })
      upload.then(
        (found) => {
          setSending(null)
          announce(t('file.read', { name, count: found.columns.length }))
          latestOnFile.current(found)
        },
        (error: unknown) => {
          // The user has canceled the upload or has chosen another file.
          if (controller.signal.aborted) return
          setSending(null)
          setProblem({ name, reason: problemMessage(error) })
        },
      )
    },
    [datasetId, t],
  )
  const cancel = useCallback((): void => {
    running.current?.abort()
    setSending(null)
    // Canceling discards the parts that have arrived. Leaving the page keeps them, so that the upload can be resumed.
    if (sent.current !== null) void dropUploadedParts(datasetId, sent.current)
    announce(t('file.canceled'))
  }, [datasetId, t])
  return { sending, problem, start, cancel }
}
