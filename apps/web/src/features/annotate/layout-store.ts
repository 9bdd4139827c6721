import { useState } from 'react'
import { preferences } from '#lib/prefs/preferences.ts'

type Kept = number | boolean | string

/** A size or an open state that a dataset's screen remembers. */
export const useKept = <T extends Kept>(panel: string, initial: T): readonly [T, (value: T) => void] => {
  const [value, setValue] = useState<T>(() => {
    const kept = preferences.read().layout[panel]
    return typeof kept === typeof initial ? (kept as T) : initial
  })
  const keep = (next: T): void => {
    setValue(next)
    preferences.write({ layout: { ...preferences.read().layout, [panel]: next } })
  }
  return [value, keep]
}
