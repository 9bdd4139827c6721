import { useSyncExternalStore } from 'react'
import { preferences } from '#lib/prefs/preferences.ts'
import { toast } from '#ui/telling/toast.ts'

/** What a selection by pointer takes: whole words, or exactly the characters under it. */
export type SelectionUnit = 'word' | 'character'

const panel = 'spans.unit'
const listeners = new Set<() => void>()

const read = (): SelectionUnit => (preferences.read().layout[panel] === 'character' ? 'character' : 'word')

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Holds for every span question in this browser, also after a reload: it is how a person works, not what a record needs. */
export const changeSelectionUnit = (unit: SelectionUnit): void => {
  preferences.write({ layout: { ...preferences.read().layout, [panel]: unit } })
  for (const listener of listeners) listener()
}

export const useSelectionUnit = (): SelectionUnit => useSyncExternalStore(subscribe, read, read)

const toldKey = 'spans.unit-told'

/** Says how selecting works, the first time in this browser. */
export const tellUnitOnce = (hint: string): void => {
  const { layout } = preferences.read()
  if (layout[toldKey] !== undefined) return
  preferences.write({ layout: { ...layout, [toldKey]: 'yes' } })
  toast({ text: hint })
}

/** Shift gives the other one for as long as it is held. */
export const isByCharacter = (unit: SelectionUnit, shift: boolean): boolean => (unit === 'character') !== shift
