import { jsonEquals } from '@postil/contract/wire/json.ts'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { announce } from '#ui/telling/announcer.ts'
import type { Change, Edit } from './edits.ts'
import type { Conflict } from './merge.ts'
import { conflictsOf, merge } from './merge.ts'

export type Failure<T> = {
  readonly error: unknown
  /** Whether the form still holds what was not saved, as it does for whoever may not save it any more. */
  readonly isKept: boolean
  readonly lost: Change<T> | undefined
}

/** What others have stored meanwhile in places that this form would overwrite. Nothing is saved until one has decided. */
export type Question = {
  readonly conflicts: readonly Conflict[]
  readonly keepMine: () => void
  readonly takeTheirs: () => void
  /** Back to the form, which holds everything. */
  readonly leave: () => void
}

export type Saving<T> = {
  readonly busy: boolean
  /** Why the last try failed, and what was not saved. */
  readonly failed: Failure<T> | null
  readonly question: Question | null
  readonly save: () => Promise<void>
  readonly bringBack: () => void
  /** Back to what is stored. */
  readonly cancel: () => void
}

export type Sending<T> = {
  /** What is stored by now; undefined where that is gone. */
  readonly read: () => Promise<T | undefined>
  /** Stores what of a value differs from what is stored. */
  readonly send: (value: T, stored: T) => Promise<void>
}

/** Whoever has to sign in first is led there, and has lost no right. */
const isOutside = (error: unknown): boolean => error instanceof ApiError && error.isOutside
export const isForbidden = (error: unknown): boolean => error instanceof ApiError && error.status === 403 && !isOutside(error)
export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404

const trimmedText = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value)
/** Texts as they are stored. What is deeper, such as a template, stays as it is. */
const trimmed = <T>(value: T): T =>
  (typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, trimmedText(one)]))
    : trimmedText(value)) as T

/**
 * Saves what a form holds, upon what is stored by then, and asks before it overwrites what others have changed. When that fails the form shows
 * what is stored again, and the change can be brought back.
 * @param onMissing what was to be changed is not there any more
 */
export const useSave = <T>(edit: Edit<T>, { read, send }: Sending<T>, onMissing: () => void): Saving<T> => {
  const { t } = useTranslation('features/settings')
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<Failure<T> | null>(null)
  const [question, setQuestion] = useState<Question | null>(null)

  const ask = (held: Change<T>, stored: T, conflicts: readonly Conflict[]): void => {
    const saveUponIt = (value: T) => (): void => {
      setQuestion(null)
      edit.restore({ base: stored, value })
      void save()
    }
    setQuestion({
      conflicts,
      keepMine: saveUponIt(merge(held.base, held.value, stored)),
      // With the sides changed, what both have written is theirs, and all else the same.
      takeTheirs: saveUponIt(merge(held.base, stored, held.value)),
      leave: () => setQuestion(null),
    })
  }
  const save = async (): Promise<void> => {
    const held = edit.latest()
    if (!held) return
    setBusy(true)
    setFailed(null)
    try {
      // What is gone is told by the server when it is sent.
      const stored = (await read()) ?? held.base
      const conflicts = conflictsOf(held.base, held.value, stored)
      if (conflicts.length > 0) return ask(held, stored, conflicts)
      const value = trimmed(merge(held.base, held.value, stored))
      if (!jsonEquals(value, stored)) await send(value, stored)
      // One may have gone on writing meanwhile.
      edit.settle(held, value)
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
  return { busy, failed, question, save, bringBack, cancel }
}
