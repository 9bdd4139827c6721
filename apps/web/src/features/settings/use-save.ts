import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { announce } from '#ui/announcer.ts'
import type { Change, Edit } from './edits.ts'

export type Failure<T> = {
  readonly error: unknown
  /** Whether the form still holds what was not saved, as it does for whoever may not save it any more. */
  readonly isKept: boolean
  readonly lost: Change<T> | undefined
}

export type Saving<T> = {
  readonly busy: boolean
  /** Why the last try failed, and what was not saved. */
  readonly failed: Failure<T> | null
  readonly save: () => Promise<void>
  readonly bringBack: () => void
  /** Back to what is stored. */
  readonly cancel: () => void
}

type Sending<T> = {
  readonly send: (value: T) => Promise<void>
  /** What was to be changed is not there any more. */
  readonly onMissing: () => void
}

/** Whoever has to sign in first is led there, and has lost no right. */
const isOutside = (error: unknown): boolean => error instanceof ApiError && error.isOutside
export const isForbidden = (error: unknown): boolean => error instanceof ApiError && error.status === 403 && !isOutside(error)
export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404

/** Saves what a form holds. When that fails the form shows what is stored again, and the change can be brought back. */
export const useSave = <T>(edit: Edit<T>, { send, onMissing }: Sending<T>): Saving<T> => {
  const { t } = useTranslation('features/settings')
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<Failure<T> | null>(null)
  const save = async (): Promise<void> => {
    const { value } = edit
    const sent = edit.latest()
    setBusy(true)
    setFailed(null)
    try {
      await send(value)
      // One may have gone on writing meanwhile.
      edit.settle(sent)
      announce(t('saved'))
    } catch (error) {
      // It stays in the form, which comes again once its user has signed in.
      if (isOutside(error)) return
      const isKept = isForbidden(error)
      setFailed({ error, isKept, lost: edit.latest() })
      if (!isKept) edit.cancel()
      if (isMissing(error)) onMissing()
    } finally {
      setBusy(false)
    }
  }
  const bringBack = (): void => {
    if (failed?.lost) edit.restore(failed.lost)
    setFailed(null)
  }
  const cancel = (): void => {
    edit.cancel()
    setFailed(null)
  }
  return { busy, failed, save, bringBack, cancel }
}
