import { useEffect, useState } from 'react'

/** What forms held that are gone, by the name of each: theirs alone who wrote it. */
type Kept = { readonly userId: string; readonly forms: { readonly [form: string]: unknown } }

/** What a form holds that is stored nowhere, as plain JSON; undefined when that is nothing. */
type Read = () => unknown

const key = 'postil.unsaved'
const open = new Map<string, Read>()

// Storage may be switched off, or too small: then it stays until the page is loaded anew.
let inMemory: Kept | null = null

const load = (): Kept | null => {
  if (inMemory) return inMemory
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as Kept | null
  } catch {
    return null
  }
}

const store = (kept: Kept | null): void => {
  inMemory = kept
  try {
    sessionStorage.removeItem(key)
    if (kept) sessionStorage.setItem(key, JSON.stringify(kept))
  } catch {
    // It is in memory.
  }
}

/** Keeps, in this tab, what every form on the screen holds: the session of its user is over, and the page makes way for sign-in. */
export const keepUnsaved = (userId: string): void => {
  const held = [...open].map(([form, read]) => [form, read()] as const).filter(([, value]) => value !== undefined)
  if (held.length > 0) store({ userId, forms: Object.fromEntries(held) })
}

/** Somebody has come or gone: what is kept of anybody else is dropped. @param userId null: nobody is there any more, by their own wish */
export const dropUnsavedOfOthers = (userId: string | null): void => {
  const kept = load()
  if (kept && kept.userId !== userId) store(null)
}

const read = <T>(userId: string, form: string): T | null => {
  const kept = load()
  return kept?.userId === userId ? ((kept.forms[form] as T | undefined) ?? null) : null
}

/** It is on the screen again. */
const drop = (form: string): void => {
  const kept = load()
  if (!kept || !Object.hasOwn(kept.forms, form)) return
  const { [form]: _, ...forms } = kept.forms
  store(Object.keys(forms).length > 0 ? { ...kept, forms } : null)
}

/** What a form held when the session of its user ended, once; null when nothing is kept. */
export const useKept = <T>(userId: string, form: string): T | null => {
  const [kept] = useState(() => read<T>(userId, form))
  useEffect(() => drop(form), [form])
  return kept
}

/** For as long as a form is on the screen, what it holds outlives the end of the session. */
export const useKeeping = (form: string, held: Read): void => {
  useEffect(() => {
    open.set(form, held)
    return () => {
      if (open.get(form) === held) open.delete(form)
    }
  }, [form, held])
}
