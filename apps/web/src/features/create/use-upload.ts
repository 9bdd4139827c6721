import type { ImportFile } from '@postil/contract/files/imports.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { uploadPart } from '#lib/constants.ts'
import { announce } from '#ui/telling/announcer.ts'
import { sendFile } from './api.ts'
import { forgetParts, sendInParts } from './send-in-parts.ts'

type Sending = {
  readonly name: string
  readonly sent: number
  readonly total: number
  /** The server cannot be reached; it goes on by itself when it can. */
  readonly isWaiting: boolean
}
export type Upload = {
  /** The file that is on its way; null when none is. Bytes. */
  readonly sending: Sending | null
  /** Why the last file was not taken; null when it was, or was canceled. */
  readonly problem: { readonly name: string; readonly reason: string } | null
  readonly start: (file: File) => void
  readonly cancel: () => void
}

/** Sends a file and tells how far it is. @param datasetId null: for a dataset that does not exist yet */
export const useUpload = (datasetId: string | null, onFile: (file: ImportFile) => void): Upload => {
  const { t } = useTranslation('features/create')
  const [sending, setSending] = useState<Sending | null>(null)
  const [problem, setProblem] = useState<Upload['problem']>(null)
  const running = useRef<AbortController | null>(null)
  const sent = useRef<File | null>(null)
  const told = useRef(onFile)
  useEffect(() => {
    told.current = onFile
  })
  useEffect(() => () => running.current?.abort(), [])

  const start = useCallback(
    (file: File): void => {
      running.current?.abort()
      const mine = new AbortController()
      running.current = mine
      const { name, size } = file
      setProblem(null)
      setSending({ name, sent: 0, total: size, isWaiting: false })
      const onProgress = (sent: number, total: number) => setSending((now) => now && { ...now, sent, total })
      const onWaiting = (isWaiting: boolean) => setSending((now) => now && { ...now, isWaiting })
      const { signal } = mine
      sent.current = file
      const arrived =
        size > uploadPart
          ? sendInParts(datasetId, file, { signal, onProgress, onWaiting })
          : sendFile(datasetId, file, { signal, onProgress })
      arrived.then(
        (found) => {
          setSending(null)
          announce(t('file.read', { name, count: found.columns.length }))
          told.current(found)
        },
        (error: unknown) => {
          // Another file, or none, is wanted by now.
          if (mine.signal.aborted) return
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
    // Who cancels does not want the part that has arrived; who only leaves may come back to it.
    if (sent.current !== null) void forgetParts(datasetId, sent.current)
    announce(t('file.canceled'))
  }, [datasetId, t])
  return { sending, problem, start, cancel }
}
