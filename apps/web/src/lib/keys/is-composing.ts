/** The key code of input method keys. Safari also uses it for the key that ends a composition, after `isComposing` is false. */
const inputMethodKeyCode = 229

/**
 * Whether a key belongs to the composition of an input method. It selects characters there and must not trigger anything on the
 * page.
 */
export const isComposing = ({ isComposing: isActive, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean =>
  isActive || keyCode === inputMethodKeyCode
