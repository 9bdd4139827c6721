import { useEffect, useRef } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { outbox } from '#lib/outbox/browser-outbox.ts'
import { useOutbox } from '#lib/outbox/use-outbox.ts'
import { closeToast, toast } from '#ui/toast.ts'
import { fetchRecord } from './api.ts'
import type { Annotation } from './use-annotation.ts'

/** Tells of answers that the server refused or that were changed elsewhere, and brings their records back. */
export const useTroubleNotice = ({ queue }: Pick<Annotation, 'queue'>): void => {
  const { t } = useTranslation('features/annotate')
  const { lines } = useOutbox()
  const troubled = [...lines.values()].find((line) => line.trouble !== null)
  const recordId = troubled?.record_id ?? null
  const kind = troubled?.trouble?.kind ?? null
  const notice = useRef<number | null>(null)
  useEffect(() => {
    if (recordId === null || kind === null) return
    const show = async (): Promise<void> => {
      const known = queue.find(recordId)?.record
      try {
        queue.bring(known ?? (await fetchRecord(recordId)))
      } catch {
        // The record itself is gone: there is nothing left to answer.
        await outbox.giveUp(recordId)
      }
    }
    notice.current = toast({
      text: t(`trouble.${kind}`),
      kind: 'danger',
      permanent: true,
      key: 'trouble',
      button: { label: t('trouble.show'), onClick: () => void show() },
    })
    return () => {
      if (notice.current !== null) closeToast(notice.current)
    }
  }, [recordId, kind, queue, t])
}
