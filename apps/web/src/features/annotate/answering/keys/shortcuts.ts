import type { Bindings, BoundAction } from '#lib/keys/bindings.ts'
import { actionBoundTo, bindingOf } from '#lib/keys/bindings.ts'
import type { KeyPlace } from './place-of-key.ts'

/** The actions of the annotation screen's shortcuts. */
export type ShortcutAction = BoundAction | 'toQuestion'

type Press = { readonly key: string; readonly ctrl: boolean; readonly shift: boolean; readonly alt: boolean }

/** Returns the action of a key at a place, or null if it has none there. Ctrl also matches Cmd. */
export const actionFor = (press: Press, place: KeyPlace, bindings: Bindings): ShortcutAction | null => {
  if (place === 'elsewhere' || (place === 'writing' && !press.ctrl)) return null
  const binding = bindingOf(press)
  if (binding === 'Escape') return 'toQuestion'
  return binding === null ? null : actionBoundTo(bindings, binding)
}
