import { jsonEquals } from '@postil/contract/wire/json.ts'
import { createContext, use, useEffect, useSyncExternalStore } from 'react'
import { baseOf, merge } from './merge.ts'

/** What is changed but not saved yet, by form. It outlives the form, so that one can look at another part of the page. */
export type Edits = ReturnType<typeof createEdits>

/** @param before changes that were made before the page was left without a wish, by form */
export const createEdits = (before: Iterable<readonly [form: string, change: unknown]> = []) => {
  let edits: ReadonlyMap<string, unknown> = new Map(before)
  const listeners = new Set<() => void>()
  return {
    snapshot: () => edits,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    /** Keeps a changed value; undefined forgets it. */
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

/** What was made of a stored value, and the value that it was made of. */
export type Change<T> = { readonly base: T; readonly value: T }

export type Edit<T> = {
  readonly value: T
  readonly isChanged: boolean
  readonly change: (value: T) => void
  readonly cancel: () => void
  /** What the form holds by now, which may be more than at the last render; undefined when that is what is stored. */
  readonly latest: () => Change<T> | undefined
  /** Holds a change again. */
  readonly restore: (change: Change<T>) => void
  /** A value is stored: what was made of it since stays, upon that. */
  readonly settle: (sent: Change<T>, stored: T) => void
}

/**
 * The value of a form: what is stored, with what was changed in it. What others store meanwhile is seen wherever this person
 * has changed nothing. A change back to what is stored is none.
 * @param form `section/name`, so that a section knows whether something in it is changed
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
    // Somebody else stored the same: there is nothing left to save.
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
    settle: (sent, now) => {
      const held = read()
      const isSent = held === undefined || jsonEquals(held.value, sent.value)
      edits.set(form, isSent ? undefined : { base: now, value: merge(held.base, held.value, now) })
    },
  }
}

/** The sections in which something is changed. */
export const useChangedSections = (): ReadonlySet<string> => {
  const edits = use(EditsContext)
  const all = useSyncExternalStore(edits.subscribe, edits.snapshot)
  return new Set([...all.keys()].map((form) => form.split('/')[0] ?? ''))
}
