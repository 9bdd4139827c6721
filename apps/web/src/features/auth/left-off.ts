/** Where this tab was when its user's session ended. It is theirs alone: whoever else comes in is not led there. */
export type LeftOff = {
  readonly userId: string
  readonly path: string
  /** Whether they have gone in another tab, somebody else has come there in their place, or the server has ended it. */
  readonly why: 'gone' | 'replaced' | 'over'
}

const key = 'postil.left-off'

/** Of this tab only, and also after it is loaded again. Storage may be switched off: then nothing is remembered. */
export const readLeftOff = (): LeftOff | null => {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as LeftOff | null
  } catch {
    return null
  }
}

export const keepLeftOff = (leftOff: LeftOff | null): void => {
  try {
    if (leftOff) sessionStorage.setItem(key, JSON.stringify(leftOff))
    else sessionStorage.removeItem(key)
  } catch {
    // The sign-in leads home.
  }
}
