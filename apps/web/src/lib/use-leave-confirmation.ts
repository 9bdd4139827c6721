import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

type LeaveConfirmation = { readonly stay: () => void; readonly leave: () => void }

type Options = {
  /** Whether leaving would lose something. `from` and `to` are the paths of the page and the destination. */
  readonly needsConfirmation: (from: string, to: string) => boolean
  /** Whether the browser asks before the window is closed. */
  readonly beforeUnload: boolean | (() => boolean)
}

/**
 * Asks for confirmation before the user leaves a page. The URL doesn't change while the confirmation is pending. Returns the
 * pending confirmation, or null if there is none.
 */
export const useLeaveConfirmation = ({ needsConfirmation, beforeUnload }: Options): LeaveConfirmation | null => {
  const { history } = useRouter()
  const [confirmation, setConfirmation] = useState<LeaveConfirmation | null>(null)
  useEffect(() => {
    const ask = (leave: () => void, stay: () => void): void => {
      const done = (act: () => void) => (): void => {
        setConfirmation(null)
        act()
      }
      setConfirmation({ leave: done(leave), stay: done(stay) })
    }
    return history.block({
      enableBeforeUnload: beforeUnload,
      blockerFn: ({ currentLocation, nextLocation, action }) => {
        if (!needsConfirmation(currentLocation.pathname, nextLocation.pathname)) return false
        // The navigation hasn't happened yet, so it can wait for the answer.
        if (action === 'PUSH' || action === 'REPLACE')
          return new Promise<boolean>((answer) =>
            ask(
              () => answer(false),
              () => answer(true),
            ),
          )
        // The browser is already at the new URL, and the router reverts that only after this function returns. The navigation
        // is therefore rejected at once, and repeated if the user decides to leave.
        const steps = nextLocation.state.__TSR_index - currentLocation.state.__TSR_index
        ask(
          () => history.go(steps, { ignoreBlocker: true }),
          () => {},
        )
        return true
      },
    })
  }, [history, needsConfirmation, beforeUnload])
  return confirmation
}
