/** Where this tab was when another one ended its user's session. It is theirs alone: whoever else comes in is not led there. */
export type LeftOff = {
  readonly userId: string
  readonly path: string
  /** Whether they have gone, or somebody else has come in their place. */
  readonly why: 'gone' | 'replaced'
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
