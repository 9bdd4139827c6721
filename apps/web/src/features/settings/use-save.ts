import { jsonEquals } from '@postil/contract/wire/json.ts'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { announce } from '#ui/feedback/announcer.ts'
import type { Change, Edit } from './edits.ts'
import type { Conflict } from './merge.ts'
import { conflictsOf, merge } from './merge.ts'

export type Failure<T> = {
  readonly error: unknown
  /** Whether the form still has the change that wasn't saved. True only if the user isn't allowed to save it. */
  readonly isStillInForm: boolean
  readonly lost: Change<T> | undefined
}

/** A conflict with changes by others. Nothing is saved until the user decides. */
export type ConflictQuestion = {
  readonly conflicts: readonly Conflict[]
  readonly keepMine: () => void
  readonly takeTheirs: () => void
  /** Returns to the form, which keeps its values. */
  readonly leave: () => void
}

export type SaveState<T> = {
  readonly busy: boolean
  /** Why the last attempt to save failed, and which change was not saved. */
  readonly failed: Failure<T> | null
  readonly question: ConflictQuestion | null
  readonly save: () => Promise<void>
  readonly restoreChange: () => void
  /** Discards the changes. */
  readonly cancel: () => void
}

export type SaveOperations<T> = {
  /** Reads the current stored value; undefined if it was deleted. */
  readonly read: () => Promise<T | undefined>
  /** Stores the parts of a value that differ from the stored one. */
  readonly send: (value: T, stored: T) => Promise<void>
}

/**
 * Whether a request failed because the session has ended, and not because the user lacks a permission. If the session has ended,
 * the user is sent to the sign-in page.
 */
const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.isOutside
export const isForbidden = (error: unknown): boolean => error instanceof ApiError && error.status === 403 && !isSignedOut(error)
export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404

const trimText = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value)
/** Trims strings before they are stored. Strings inside nested objects, such as a template in the settings, stay unchanged. */
const trimValue = <T>(value: T): T =>
  (typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, trimText(one)]))
    : trimText(value)) as T

/**
 * Saves a form. Merges the user's change into the current stored value, and asks before it overwrites changes by others. If
 * saving fails, the form shows the stored value, and the change can be restored. If the session has ended or the user isn't
 * allowed to save, the change stays in the form.
 * @param onMissing called when the item was deleted
 */
export const useSave = <T>(edit: Edit<T>, { read, send }: SaveOperations<T>, onMissing: () => void): SaveState<T> => {
  const { t } = useTranslation('features/settings')
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<Failure<T> | null>(null)
  const [question, setQuestion] = useState<ConflictQuestion | null>(null)

  const askAboutConflicts = (change: Change<T>, stored: T, conflicts: readonly Conflict[]): void => {
    const saveOver = (value: T) => (): void => {
      setQuestion(null)
      edit.restore({ base: stored, value })
      void save()
    }
    setQuestion({
      conflicts,
      keepMine: saveOver(merge(change.base, change.value, stored)),
      // Swaps the two sides of the merge, so that the stored value is used wherever both sides changed something.
      takeTheirs: saveOver(merge(change.base, stored, change.value)),
      leave: () => setQuestion(null),
    })
  }
  const save = async (): Promise<void> => {
    const change = edit.latest()
    if (!change) return
    setBusy(true)
    setFailed(null)
    try {
      // If the item was deleted, `read` finds nothing. The change is then sent anyway, so that the server reports the deletion.
      const stored = (await read()) ?? change.base
      const conflicts = conflictsOf(change.base, change.value, stored)
      if (conflicts.length > 0) return askAboutConflicts(change, stored, conflicts)
      const value = trimValue(merge(change.base, change.value, stored))
      if (!jsonEquals(value, stored)) await send(value, stored)
      // The user may have typed more while the request was running.
      edit.settle(change, value)
      announce(t('saved'))
    } catch (error) {
      // The change stays in the form, which is shown again after the user has signed in.
      if (isSignedOut(error)) return
      const isStillInForm = isForbidden(error)
      setFailed({ error, isStillInForm, lost: edit.latest() })
      if (!isStillInForm) edit.cancel()
      if (isMissing(error)) onMissing()
    } finally {
      setBusy(false)
    }
  }
  const restoreChange = (): void => {
    if (failed?.lost) edit.restore(failed.lost)
    setFailed(null)
  }
  const cancel = (): void => {
    edit.cancel()
    setFailed(null)
  }
  return { busy, failed, question, save, restoreChange, cancel }
}
