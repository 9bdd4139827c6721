/**
 * Shortcuts of the annotation screen. A binding is written as `Ctrl+Shift+Z`, `ArrowRight` or `?`: modifiers, then the browser's
 * name for the key. `Ctrl` matches both Ctrl and Cmd. Only record actions have configurable keys. Each question type defines
 * fixed keys for answering its questions.
 */
export const boundActions = [
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
export type BoundAction = (typeof boundActions)[number]
export type Bindings = { readonly [D in BoundAction]: string }

export const defaultBindings: Bindings = {
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

/**
 * Additional bindings. Ctrl+Enter also submits while the user is typing. Ctrl+Y is the other common shortcut for redo. A binding
 * applies unless its key is assigned to another action.
 */
const alternativeBindings: { readonly [binding: string]: BoundAction } = { 'Ctrl+Enter': 'submit', 'Ctrl+Y': 'redo' }

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

/**
 * Returns the binding that was pressed, or null while only modifiers are held. Shift is treated as part of the character,
 * except for letters.
 */
export const bindingOf = ({ key, ctrl, shift, alt }: Press): string | null => {
  if (modifiers.has(key) || key === '' || key === 'Unidentified') return null
  const upper = key.toUpperCase()
  const name = isLetter(key) && isCharacter(upper) ? upper : key
  const withShift = shift && (!isCharacter(key) || isLetter(key))
  return `${ctrl ? 'Ctrl+' : ''}${alt ? 'Alt+' : ''}${withShift ? 'Shift+' : ''}${name}`
}

/** Splits a binding into its modifiers and key. */
export const partsOf = (binding: string): readonly string[] => {
  const match = /^((?:(?:Ctrl|Alt|Shift)\+)*)(.+)$/s.exec(binding)
  return match ? [...(match[1] ?? '').split('+').filter(Boolean), match[2] ?? ''] : []
}

export const actionBoundTo = (bindings: Bindings, binding: string): BoundAction | null =>
  boundActions.find((action) => bindings[action] === binding) ?? alternativeBindings[binding] ?? null

/** Why a binding is rejected: a question or the browser already uses its key. */
type BindingRejection = 'question' | 'browser'

/** Browser shortcuts that users rely on, and keys that edit text. */
const reservedByBrowser =
  /^(?:Ctrl\+(?:Shift\+)?[ACFLNPRTVWX]|(?:Ctrl\+)?(?:Shift\+)?F(?:5|6|11|12)|Ctrl\+(?:Shift\+)?(?!Enter$)[A-Z][A-Za-z]+)$/

export const rejectionOf = (binding: string): BindingRejection | null => {
  const parts = partsOf(binding)
  const key = parts.at(-1) ?? ''
  if (key === 'Tab' || key === 'Escape' || key === ' ') return 'question'
  if (parts.includes('Alt') || reservedByBrowser.test(binding)) return 'browser'
  if (parts.includes('Ctrl')) return null
  // Questions use letters and digits to select options, and key combinations with Shift to move and to select text.
  return /^[\p{L}\p{N}]$/u.test(key) || parts.includes('Shift') ? 'question' : null
}

/** Assigns another key to an action. If the key belongs to another action, the two actions swap keys. */
export const rebind = (bindings: Bindings, action: BoundAction, binding: string): Bindings => {
  const other = boundActions.find((one) => one !== action && bindings[one] === binding)
  return { ...bindings, [action]: binding, ...(other && { [other]: bindings[action] }) }
}

/** Returns the bindings that differ from the defaults, for storage. */
export const changedBindings = (bindings: Bindings): Partial<Bindings> =>
  Object.fromEntries(
    boundActions.filter((action) => bindings[action] !== defaultBindings[action]).map((action) => [action, bindings[action]]),
  )

/** Reads stored bindings. Returns the defaults if the stored value is invalid. */
export const readBindings = (stored: unknown): Bindings => {
  const storedBindings: { readonly [action: string]: unknown } =
    typeof stored === 'object' && stored !== null ? { ...stored } : {}
  const of = (action: BoundAction): string => {
    const binding = storedBindings[action]
    return typeof binding === 'string' && binding !== '' && rejectionOf(binding) === null ? binding : defaultBindings[action]
  }
  const read = { ...defaultBindings, ...Object.fromEntries(boundActions.map((action) => [action, of(action)])) }
  return new Set(Object.values(read)).size === boundActions.length ? read : defaultBindings
}
