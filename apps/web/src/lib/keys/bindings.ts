/**
 * Which keys do what on the annotation screen. A binding is written as `Ctrl+Shift+Z`, `ArrowRight` or `?`: modifiers, then the key as the
 * browser names it. Ctrl stands for Cmd too. Only what is done with a record has keys that can be changed; those by which questions are
 * answered belong to the questions.
 */
export const boundDeeds = [
  'submit',
  'discard',
  'saveDraft',
  'undo',
  'redo',
  'next',
  'previous',
  'nextQuestion',
  'previousQuestion',
  'help',
] as const
export type BoundDeed = (typeof boundDeeds)[number]
export type Bindings = { readonly [D in BoundDeed]: string }

export const usualBindings: Bindings = {
  submit: 'Enter',
  discard: 'Backspace',
  saveDraft: 'Ctrl+S',
  undo: 'Ctrl+Z',
  redo: 'Ctrl+Shift+Z',
  next: 'ArrowRight',
  previous: 'ArrowLeft',
  nextQuestion: 'ArrowDown',
  previousQuestion: 'ArrowUp',
  help: '?',
}

/** What else does it as long as nothing else was given the key: submitting while one writes, and the other habit of redoing. */
const alsoMeans: { readonly [binding: string]: BoundDeed } = { 'Ctrl+Enter': 'submit', 'Ctrl+Y': 'redo' }

type Press = { readonly key: string; readonly ctrl: boolean; readonly shift: boolean; readonly alt: boolean }

const modifiers: ReadonlySet<string> = new Set([
  'Shift',
  'Control',
  'Alt',
  'Meta',
  'AltGraph',
  'CapsLock',
  'NumLock',
  'Dead',
  'Process',
])
const isCharacter = (key: string): boolean => [...key].length === 1
const isLetter = (key: string): boolean => /^\p{L}$/u.test(key)

/** What was pressed; null while only modifiers are held. Shift is part of what a character is, unless it is a letter. */
export const bindingOf = ({ key, ctrl, shift, alt }: Press): string | null => {
  if (modifiers.has(key) || key === '' || key === 'Unidentified') return null
  const upper = key.toUpperCase()
  const name = isLetter(key) && isCharacter(upper) ? upper : key
  const withShift = shift && (!isCharacter(key) || isLetter(key))
  return `${ctrl ? 'Ctrl+' : ''}${alt ? 'Alt+' : ''}${withShift ? 'Shift+' : ''}${name}`
}

/** The modifiers and the key of a binding. */
export const partsOf = (binding: string): readonly string[] => {
  const match = /^((?:(?:Ctrl|Alt|Shift)\+)*)(.+)$/s.exec(binding)
  return match ? [...(match[1] ?? '').split('+').filter(Boolean), match[2] ?? ''] : []
}

export const deedBoundTo = (bindings: Bindings, binding: string): BoundDeed | null =>
  boundDeeds.find((deed) => bindings[deed] === binding) ?? alsoMeans[binding] ?? null

/** Who needs a key for something else. */
export type Refusal = 'question' | 'browser'

/** What a browser does that people would miss, and what works on text that is written. */
const ofBrowser =
  /^(?:Ctrl\+(?:Shift\+)?[ACFLNPRTVWX]|(?:Ctrl\+)?(?:Shift\+)?F(?:5|6|11|12)|Ctrl\+(?:Shift\+)?(?!Enter$)[A-Z][A-Za-z]+)$/

export const refusalOf = (binding: string): Refusal | null => {
  const parts = partsOf(binding)
  const key = parts.at(-1) ?? ''
  if (key === 'Tab' || key === 'Escape' || key === ' ') return 'question'
  if (parts.includes('Alt') || ofBrowser.test(binding)) return 'browser'
  if (parts.includes('Ctrl')) return null
  // Letters and digits pick options; with Shift, Enter and the arrows go into texts and mark what is in them.
  return /^[\p{L}\p{N}]$/u.test(key) || parts.includes('Shift') ? 'question' : null
}

/** Gives a deed another key; what had the key gets the one that is free now. */
export const rebound = (bindings: Bindings, deed: BoundDeed, binding: string): Bindings => {
  const other = boundDeeds.find((one) => one !== deed && bindings[one] === binding)
  return { ...bindings, [deed]: binding, ...(other && { [other]: bindings[deed] }) }
}

/** What differs from the usual, to be remembered. */
export const changesOf = (bindings: Bindings): Partial<Bindings> =>
  Object.fromEntries(boundDeeds.filter((deed) => bindings[deed] !== usualBindings[deed]).map((deed) => [deed, bindings[deed]]))

/** What was remembered; the usual keys where that is nothing that can be used. */
export const readBindings = (stored: unknown): Bindings => {
  const kept: { readonly [deed: string]: unknown } = typeof stored === 'object' && stored !== null ? { ...stored } : {}
  const of = (deed: BoundDeed): string => {
    const binding = kept[deed]
    return typeof binding === 'string' && binding !== '' && refusalOf(binding) === null ? binding : usualBindings[deed]
  }
  const read = { ...usualBindings, ...Object.fromEntries(boundDeeds.map((deed) => [deed, of(deed)])) }
  return new Set(Object.values(read)).size === boundDeeds.length ? read : usualBindings
}
