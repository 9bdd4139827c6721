export type PressedKey = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey'>

/**
 * Returns the key to match for shortcuts. With Ctrl or Cmd, a key on a non-Latin keyboard, such as Russian or Greek, is treated
 * as the Latin letter at the same position.
 */
export const latinKey = ({ key, code, ctrlKey, metaKey, altKey }: PressedKey): string => {
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  const isOther = /^\p{L}$/u.test(key) && !/\p{Script=Latin}/u.test(key)
  return letter !== undefined && isOther && (ctrlKey || metaKey) && !altKey ? letter.toLowerCase() : key
}
