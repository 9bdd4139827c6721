import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/** The question that stands: whether this page is left. */
export type LeaveQuestion = { readonly stay: () => void; readonly leave: () => void }

type Options = {
  /** Whether something would be lost. Paths are those of the page and of where it would be left for. */
  readonly isAsked: (from: string, to: string) => boolean
  /** Whether the browser asks where the window is closed. */
  readonly beforeUnload: boolean | (() => boolean)
}

/** Asks before a page is left, whose address stays while the question stands. Gives the question; null where there is none. */
export const useLeaveQuestion = ({ isAsked, beforeUnload }: Options): LeaveQuestion | null => {
  const { history } = useRouter()
  const [question, setQuestion] = useState<LeaveQuestion | null>(null)
  useEffect(() => {
    const ask = (leave: () => void, stay: () => void): void => {
      const done = (act: () => void) => (): void => {
        setQuestion(null)
        act()
      }
      setQuestion({ leave: done(leave), stay: done(stay) })
    }
    return history.block({
      enableBeforeUnload: beforeUnload,
      blockerFn: ({ currentLocation, nextLocation, action }) => {
        if (!isAsked(currentLocation.pathname, nextLocation.pathname)) return false
        // Nothing has moved yet.
        if (action === 'PUSH' || action === 'REPLACE')
          return new Promise<boolean>((answer) =>
            ask(
              () => answer(false),
              () => answer(true),
            ),
          )
        // NOTE: the browser is at the other address already, and the router leads it back only once this has returned: the steps are
        // refused at once, and taken again by who leaves
        const steps = nextLocation.state.__TSR_index - currentLocation.state.__TSR_index
        ask(
          () => history.go(steps, { ignoreBlocker: true }),
          () => {},
        )
        return true
      },
    })
  }, [history, isAsked, beforeUnload])
  return question
}
