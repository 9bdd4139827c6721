import { jsonEquals } from '@postil/contract/wire/json.ts'
import { createContext, use, useEffect, useSyncExternalStore } from 'react'
import { baseOf, merge } from './merge.ts'

/** Unsaved changes, keyed by form. They are kept when a form closes, so that the user can switch to another section. */
export type Edits = ReturnType<typeof createEdits>

/** @param initialChanges unsaved changes to restore, keyed by form, for example from before the user's session ended */
export const createEdits = (initialChanges: Iterable<readonly [form: string, change: unknown]> = []) => {
  let edits: ReadonlyMap<string, unknown> = new Map(initialChanges)
  const listeners = new Set<() => void>()
  return {
    snapshot: () => edits,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    /** Stores a changed value; undefined removes it. */
    set: (form: string, value: unknown): void => {
      const next = new Map(edits)
      if (value === undefined) next.delete(form)
      else next.set(form, value)
      edits = next
      for (const listener of listeners) listener()
    },
  }
}

export const EditsContext = createContext(createEdits())

/** A changed value and the stored value that it is based on. */
export type Change<T> = { readonly base: T; readonly value: T }

export type Edit<T> = {
  readonly value: T
  readonly isChanged: boolean
  readonly change: (value: T) => void
  readonly cancel: () => void
  /** Returns the current change, which may be newer than the last render; undefined if there is none. */
  readonly latest: () => Change<T> | undefined
  /** Restores a change. */
  readonly restore: (change: Change<T>) => void
  /** Called when a sent value is stored. Changes made after it was sent are kept, and the stored value becomes their base. */
  readonly settle: (sent: Change<T>, stored: T) => void
}

/**
 * Returns the value of a form: the stored value with the user's changes. Changes by others show up wherever this user has
 * changed nothing. A value that the user changes back to the stored value is not treated as a change.
 * @param form `section/name`, so that a section knows whether it has changes
 * @param stored plain JSON
 */
export const useEdit = <T>(form: string, stored: T): Edit<T> => {
  const edits = use(EditsContext)
  const read = (): Change<T> | undefined => edits.snapshot().get(form) as Change<T> | undefined
  const made = useSyncExternalStore(edits.subscribe, read)
  const value = made ? merge(made.base, made.value, stored) : stored
  const isChanged = made !== undefined && !jsonEquals(value, stored)
  const isDone = made !== undefined && !isChanged
  useEffect(() => {
    // Someone else has stored the same value, so there is nothing left to save.
    if (isDone) edits.set(form, undefined)
  }, [edits, form, isDone])
  return {
    value,
    isChanged,
    change: (next) => {
      const base = made ? baseOf(made.base, value, stored) : stored
      edits.set(form, jsonEquals(next, stored) ? undefined : { base, value: next })
    },
    cancel: () => edits.set(form, undefined),
    latest: read,
    restore: (change) => edits.set(form, change),
    settle: (sent, currentChange) => {
      const pending = read()
      const isSent = pending === undefined || jsonEquals(pending.value, sent.value)
      edits.set(form, isSent ? undefined : { base: currentChange, value: merge(pending.base, pending.value, currentChange) })
    },
  }
}

/** The sections with unsaved changes. */
export const useChangedSections = (): ReadonlySet<string> => {
  const edits = use(EditsContext)
  const all = useSyncExternalStore(edits.subscribe, edits.snapshot)
  return new Set([...all.keys()].map((form) => form.split('/')[0] ?? ''))
}
