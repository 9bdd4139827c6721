import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { announce } from '#ui/announcer.ts'
import type { Edit } from './edits.ts'

export type Saving<T> = {
  readonly busy: boolean
  /** Why the last try failed, and what was not saved. */
  readonly failed: { readonly error: unknown; readonly lost: T } | null
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
    setBusy(true)
    setFailed(null)
    try {
      await send(value)
      // One may have gone on writing meanwhile.
      edit.settle(value)
      announce(t('saved'))
    } catch (error) {
      setFailed({ error, lost: edit.latest() })
      edit.cancel()
    } finally {
      setBusy(false)
    }
  }
  const bringBack = (): void => {
    if (failed) edit.change(failed.lost)
    setFailed(null)
  }
  return { busy, failed, save, bringBack }
}
