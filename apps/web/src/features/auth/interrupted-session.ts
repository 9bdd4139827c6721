import { sessionValue } from '#lib/session-value.ts'

/** The page that this tab showed when its user's session ended. Only this user is redirected to it. */
export type InterruptedSession = {
  readonly userId: string
  readonly path: string
  /** Why the session ended: the user signed out in another tab, another user signed in there, or the server ended it. */
  readonly why: 'gone' | 'replaced' | 'over'
}

/** The interrupted session of this tab. If storage is turned off, sign-in leads to the home page. */
export const interruptedSession = sessionValue<InterruptedSession>('postil.left-off')
