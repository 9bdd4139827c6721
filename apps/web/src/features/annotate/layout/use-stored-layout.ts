import { useState } from 'react'
import { preferences } from '#lib/prefs/preferences.ts'

type LayoutValue = number | boolean | string

/** A size or open state that is stored for a dataset's screen. */
export const useStoredLayout = <T extends LayoutValue>(panel: string, initial: T): readonly [T, (value: T) => void] => {
  const [value, setValue] = useState<T>(() => {
    const stored = preferences.read().layout[panel]
    return typeof stored === typeof initial ? (stored as T) : initial
  })
  const store = (next: T): void => {
    setValue(next)
    preferences.write({ layout: { ...preferences.read().layout, [panel]: next } })
  }
  return [value, store]
}
