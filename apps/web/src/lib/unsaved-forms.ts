import { useEffect, useState } from 'react'
import { sessionValue } from './session-value.ts'

/** The unsaved values of closed forms, keyed by form name. Only their author may see them. */
type UnsavedForms = { readonly userId: string; readonly forms: { readonly [form: string]: unknown } }

/** Returns a form's unsaved value as plain JSON, or undefined if there is none. */
type Read = () => unknown

const stored = sessionValue<UnsavedForms>('postil.unsaved')
const open = new Map<string, Read>()

// If storage is turned off or full, holds the values until the web app is reloaded.
let inMemory: UnsavedForms | null = null

const load = (): UnsavedForms | null => inMemory ?? stored.read()

const store = (kept: UnsavedForms | null): void => {
  inMemory = kept
  stored.write(kept)
}

/** Stores the values of all open forms in this tab, because the session has ended and the sign-in page replaces them. */
export const saveUnsavedForms = (userId: string): void => {
  const held = [...open].map(([form, read]) => [form, read()] as const).filter(([, value]) => value !== undefined)
  if (held.length > 0) store({ userId, forms: Object.fromEntries(held) })
}

/**
 * Drops the stored values of all other users after a sign-in or sign-out.
 * @param userId the signed-in user, or null after a sign-out
 */
export const dropUnsavedFormsOfOthers = (userId: string | null): void => {
  const kept = load()
  if (kept && kept.userId !== userId) store(null)
}

const read = <T>(userId: string, form: string): T | null => {
  const kept = load()
  return kept?.userId === userId ? ((kept.forms[form] as T | undefined) ?? null) : null
}

/** Drops a stored value once the form shows it again. */
const drop = (form: string): void => {
  const kept = load()
  if (!kept || !Object.hasOwn(kept.forms, form)) return
  const { [form]: _, ...forms } = kept.forms
  store(Object.keys(forms).length > 0 ? { ...kept, forms } : null)
}

/**
 * Returns what a form contained when its user's session ended, or null if nothing is stored. Returns a stored value only once.
 */
export const useUnsavedForm = <T>(userId: string, form: string): T | null => {
  const [kept] = useState(() => read<T>(userId, form))
  useEffect(() => drop(form), [form])
  return kept
}

/** Preserves a form's value if the session ends while the form is on the screen. */
export const usePreserveForm = (form: string, held: Read): void => {
  useEffect(() => {
    open.set(form, held)
    return () => {
      if (open.get(form) === held) open.delete(form)
    }
  }, [form, held])
}
