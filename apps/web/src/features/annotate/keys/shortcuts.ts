import type { Bindings, BoundDeed } from '#lib/keys/bindings.ts'
import { bindingOf, deedBoundTo } from '#lib/keys/bindings.ts'
import type { KeyPlace } from './place-of-key.ts'

/** What the keys of the annotation screen do, whichever part of it has the focus. */
export type Deed = BoundDeed | 'toQuestion'

type Press = { readonly key: string; readonly ctrl: boolean; readonly shift: boolean; readonly alt: boolean }

/** The deed of a key at a place; null when it has none there. Ctrl stands for Cmd too. */
export const deedOf = (press: Press, place: KeyPlace, bindings: Bindings): Deed | null => {
  if (place === 'elsewhere' || (place === 'writing' && !press.ctrl)) return null
  const binding = bindingOf(press)
  if (binding === 'Escape') return 'toQuestion'
  return binding === null ? null : deedBoundTo(bindings, binding)
}
