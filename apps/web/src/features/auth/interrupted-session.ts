/** The page that this tab showed when its user's session ended. Only this user is redirected to it. */
export type InterruptedSession = {
  readonly userId: string
  readonly path: string
  /** Why the session ended: the user signed out in another tab, another user signed in there, or the server ended it. */
  readonly why: 'gone' | 'replaced' | 'over'
}

const key = 'postil.left-off'

/** Reads the interrupted session, which is stored per tab and kept across reloads. Null if storage is disabled. */
export const readInterruptedSession = (): InterruptedSession | null => {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as InterruptedSession | null
  } catch {
    return null
  }
}

export const storeInterruptedSession = (session: InterruptedSession | null): void => {
  try {
    if (session) sessionStorage.setItem(key, JSON.stringify(session))
    else sessionStorage.removeItem(key)
  } catch {
    // If storage is disabled, sign-in leads to the home page.
  }
}
