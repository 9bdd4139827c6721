import { useEffect, useRef } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { enterPause } from '#lib/constants.ts'
import { closeToast, toast } from '#ui/feedback/toast.ts'
import type { CompletedAction } from '../announcements/use-action-text.ts'

type Options = {
  readonly lastAction: CompletedAction | null
  /** Submits the answer of the current record. Returns false if it isn't complete. */
  readonly submit: () => boolean
  readonly undo: () => void
}

type Automatic = { readonly toastId: number; readonly at: number; action: CompletedAction | null }

/**
 * Submits after a key press that answers the only question. Until the next action, a notification offers to undo the submission.
 */
export const useKeySubmit = ({ lastAction, submit, undo }: Options) => {
  const { t } = useTranslation('features/annotate')
  const last = useRef<Automatic | null>(null)
  const latestUndo = useRef(undo)
  useEffect(() => {
    latestUndo.current = undo
  })
  useEffect(() => {
    if (!last.current) return
    last.current.action ??= lastAction
    if (last.current.action === lastAction) return
    closeToast(last.current.toastId)
    last.current = null
  }, [lastAction])
  useEffect(
    () => () => {
      if (last.current) closeToast(last.current.toastId)
    },
    [],
  )
  return {
    submitByKey: (): void => {
      if (!submit()) return
      const toastId = toast({
        text: t('done.submittedByKey'),
        kind: 'success',
        key: 'submitted-by-key',
        button: { label: t('action.undo'), onClick: () => latestUndo.current() },
      })
      last.current = { toastId, at: performance.now(), action: null }
    },
    /** Whether to ignore Enter, because it may have been meant for the answer that was just submitted. */
    isEnterPaused: (): boolean => last.current !== null && performance.now() - last.current.at < enterPause,
  }
}
