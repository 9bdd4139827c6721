import type { KeyPlace } from './place-of-key.ts'

/** What the keys of the annotation screen do, whichever part of it has the focus. */
export type Deed =
  | 'submit'
  | 'discard'
  | 'saveDraft'
  | 'next'
  | 'previous'
  | 'nextQuestion'
  | 'previousQuestion'
  | 'toQuestion'
  | 'undo'
  | 'redo'
  | 'help'

type Press = { readonly key: string; readonly ctrl: boolean; readonly shift: boolean; readonly alt: boolean }

const withCtrl: { readonly [key: string]: (shift: boolean) => Deed } = {
  s: () => 'saveDraft',
  z: (shift) => (shift ? 'redo' : 'undo'),
  y: () => 'redo',
  enter: () => 'submit',
}

const plain: { readonly [key: string]: Deed } = {
  Enter: 'submit',
  Backspace: 'discard',
  ArrowRight: 'next',
  ArrowLeft: 'previous',
  ArrowDown: 'nextQuestion',
  ArrowUp: 'previousQuestion',
  Escape: 'toQuestion',
  '?': 'help',
}

/** The deed of a key at a place; null when it has none there. Ctrl stands for Cmd too. */
export const deedOf = ({ key, ctrl, shift, alt }: Press, place: KeyPlace): Deed | null => {
  if (place === 'elsewhere' || alt) return null
  if (ctrl) return withCtrl[key.toLowerCase()]?.(shift) ?? null
  if (place === 'writing' || (shift && key !== '?')) return null
  return plain[key] ?? null
}
