import { hasText, translate } from '#i18n/texts.ts'
import { partsOf } from './bindings.ts'

const isApple = /mac|iphone|ipad/i.test(navigator.platform)

/** The modifier for shortcuts, as printed on this machine's keyboard. */
const commandKey = isApple ? '⌘' : 'Ctrl'

const printed: { readonly [key: string]: string } = {
  Ctrl: commandKey,
  ArrowRight: '→',
  ArrowLeft: '←',
  ArrowDown: '↓',
  ArrowUp: '↑',
  ' ': 'Space',
}
const shortNames: { readonly [key: string]: string } = { Enter: '↵', Backspace: '⌫' }
const ariaNames: { readonly [key: string]: string } = { Ctrl: 'Control', '+': 'Plus' }

/**
 * Returns the name of a key for display: in the UI language if it has a translation, otherwise as printed on this machine's
 * keyboard.
 */
export const capOf = (key: string): string => {
  const cap = printed[key] ?? key
  return hasText(`key.${cap}`) ? translate(`key.${cap}`) : cap
}

/** Returns the names of the keys of a binding. */
export const capsOf = (binding: string): readonly string[] => partsOf(binding).map(capOf)

/** Returns a short form of a binding, for buttons. */
export const shortCap = (binding: string): string =>
  partsOf(binding)
    .map((part) => shortNames[part] ?? capOf(part))
    .join(' ')

/** Returns the value for `aria-keyshortcuts`. */
export const keyShortcuts = (binding: string): string =>
  partsOf(binding)
    .map((part) => ariaNames[part] ?? part)
    .join('+')
