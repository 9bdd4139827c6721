/** Where this tab was when its user's session ended. Only for this user: nobody else is redirected there. */
export type InterruptedSession = {
  readonly userId: string
  readonly path: string
  /** Whether the user signed out in another tab, another user signed in there, or the server ended the session. */
  readonly why: 'gone' | 'replaced' | 'over'
}

const key = 'postil.left-off'

/** Stored per tab, also across reloads. Null if storage is disabled. */
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
    // Without storage, sign-in leads home.
  }
}
