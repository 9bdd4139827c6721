import { hasText, translate } from '#i18n/texts.ts'
import { partsOf } from './bindings.ts'
import { commandKey } from './command-key.ts'

const printed: { readonly [key: string]: string } = {
  Ctrl: commandKey,
  ArrowRight: '→',
  ArrowLeft: '←',
  ArrowDown: '↓',
  ArrowUp: '↑',
  ' ': 'Space',
}
const small: { readonly [key: string]: string } = { Enter: '↵', Backspace: '⌫' }
const forReaders: { readonly [key: string]: string } = { Ctrl: 'Control', '+': 'Plus' }

/** A key as it is printed on this machine's keyboard, or called in the language of the page. */
export const capOf = (key: string): string => {
  const cap = printed[key] ?? key
  return hasText(`key.${cap}`) ? translate(`key.${cap}`) : cap
}

/** A binding as it is printed on the keys, one by one. */
export const capsOf = (binding: string): readonly string[] => partsOf(binding).map(capOf)

/** The same in little room, as on a button. */
export const shortCap = (binding: string): string =>
  partsOf(binding)
    .map((part) => small[part] ?? capOf(part))
    .join(' ')

/** For `aria-keyshortcuts`. */
export const keyShortcuts = (binding: string): string =>
  partsOf(binding)
    .map((part) => forReaders[part] ?? part)
    .join('+')
