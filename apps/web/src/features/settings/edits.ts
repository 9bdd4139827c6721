import { createContext, use, useSyncExternalStore } from 'react'

/** What is changed but not saved yet, by form. It outlives the form, so that one can look at another part of the page. */
export type Edits = ReturnType<typeof createEdits>

export const createEdits = () => {
  let edits: ReadonlyMap<string, unknown> = new Map()
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

export type Edit<T> = {
  readonly value: T
  readonly isChanged: boolean
  readonly change: (value: T) => void
  readonly cancel: () => void
  /** What the form holds by now, which may be more than at the last render. */
  readonly latest: () => T
  /** A value is stored: what was made of it since stays. */
  readonly settle: (sent: T) => void
}

/** Values are plain JSON whose keys keep their order. */
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/**
 * The value of a form: what is stored, or what was made of it. A change back to what is stored is none.
 * @param form `section/name`, so that a section knows whether something in it is changed
 */
export const useEdit = <T>(form: string, stored: T): Edit<T> => {
  const edits = use(EditsContext)
  const edit = useSyncExternalStore(edits.subscribe, () => edits.snapshot().get(form)) as T | undefined
  return {
    value: edit ?? stored,
    isChanged: edit !== undefined && !same(edit, stored),
    change: (value) => edits.set(form, same(value, stored) ? undefined : value),
    cancel: () => edits.set(form, undefined),
    latest: () => (edits.snapshot().get(form) as T | undefined) ?? stored,
    settle: (sent) => {
      if (same(edits.snapshot().get(form), sent)) edits.set(form, undefined)
    },
  }
}

/** The sections in which something is changed. */
export const useChangedSections = (): ReadonlySet<string> => {
  const edits = use(EditsContext)
  const all = useSyncExternalStore(edits.subscribe, edits.snapshot)
  return new Set([...all.keys()].map((form) => form.split('/')[0] ?? ''))
}
