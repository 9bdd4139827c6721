/**
 * The key code of keys that an input method handles. Safari also uses it for the key that ends a composition, when `isComposing`
 * is already false.
 */
const inputMethodKeyCode = 229

/**
 * Whether a key press belongs to an input method's composition. Such a key selects characters and must not trigger anything
 * else.
 */
export const isComposing = ({ isComposing: isActive, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean =>
  isActive || keyCode === inputMethodKeyCode
