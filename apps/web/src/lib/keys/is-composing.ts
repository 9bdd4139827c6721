/** The code of a key that is the input method's, also of the one that ends it, which Safari says after it is over. */
const ofInputMethod = 229

/** Whether a key belongs to what an input method is putting together: it chooses characters there, and means nothing to the page. */
export const isComposing = ({ isComposing: isGoingOn, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean =>
  isGoingOn || keyCode === ofInputMethod
