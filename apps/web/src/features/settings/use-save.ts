import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { announce } from '#ui/announcer.ts'
import type { Change, Edit } from './edits.ts'

export type Saving<T> = {
  readonly busy: boolean
  /** Why the last try failed, and what was not saved. */
  readonly failed: { readonly error: unknown; readonly lost: Change<T> | undefined } | null
  readonly save: () => Promise<void>
  readonly bringBack: () => void
}

/** Saves what a form holds. When that fails the form shows what is stored again, and the change can be brought back. */
export const useSave = <T>(edit: Edit<T>, send: (value: T) => Promise<void>): Saving<T> => {
  const { t } = useTranslation('features/settings')
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<Saving<T>['failed']>(null)
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
      setFailed({ error, lost: edit.latest() })
      edit.cancel()
    } finally {
      setBusy(false)
    }
  }
  const bringBack = (): void => {
    if (failed?.lost) edit.restore(failed.lost)
    setFailed(null)
  }
  return { busy, failed, save, bringBack }
}
