import { useSyncExternalStore } from 'react'
import { preferences } from '#lib/prefs/preferences.ts'
import { toast } from '#ui/feedback/toast.ts'

/** What a pointer selection covers: whole words, or exactly the selected characters. */
type SelectionUnit = 'word' | 'character'

const panel = 'spans.unit'
const listeners = new Set<() => void>()

const read = (): SelectionUnit => (preferences.read().layout[panel] === 'character' ? 'character' : 'word')

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Sets the unit for every span question in this browser, even after a reload, because the choice depends on the person, not on
 * the record.
 */
export const changeSelectionUnit = (unit: SelectionUnit): void => {
  preferences.write({ layout: { ...preferences.read().layout, [panel]: unit } })
  for (const listener of listeners) listener()
}

export const useSelectionUnit = (): SelectionUnit => useSyncExternalStore(subscribe, read, read)

const hintShownKey = 'spans.unit-told'

/** Explains how selecting works, but only once per browser. */
export const showUnitHintOnce = (hint: string): void => {
  const { layout } = preferences.read()
  if (layout[hintShownKey] !== undefined) return
  preferences.write({ layout: { ...layout, [hintShownKey]: 'yes' } })
  toast({ text: hint })
}

/** Whether a selection is by character. While Shift is held, the other unit applies. */
export const isByCharacter = (unit: SelectionUnit, shift: boolean): boolean => (unit === 'character') !== shift
