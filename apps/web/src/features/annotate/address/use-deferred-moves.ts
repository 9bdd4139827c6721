import { useEffect, useState } from 'react'
import { movingTo } from './moving-to.ts'

type DeferredMoves = {
  /**
   * Calls `move` after a short delay, unless the user leaves the page first. `move` changes the position in the URL to the
   * target's position.
   */
  readonly defer: (target: { readonly datasetId: string; readonly position: number }, move: () => void) => void
  /** Runs the deferred URL changes now, so that a later change to the URL builds on them. */
  readonly flush: () => void
  readonly cancel: () => void
}

/** The longest delay of a URL change on a busy page, in milliseconds. */
const longestDelay = 200

const createDeferredMoves = (): DeferredMoves => {
  let moves: readonly (() => void)[] = []
  const flush = (): void => {
    const due = moves
    moves = []
    for (const move of due) move()
    movingTo.write(null)
  }
  return {
    flush,
    defer: (target, move) => {
      movingTo.write(target)
      const { pathname } = window.location
      moves = [...moves, () => window.location.pathname === pathname && move()]
      if (moves.length > 1) return
      if ('requestIdleCallback' in window) window.requestIdleCallback(flush, { timeout: longestDelay })
      else setTimeout(flush)
    },
    cancel: () => {
      moves = []
      movingTo.write(null)
    },
  }
}

/**
 * Defers URL changes until the browser has painted the next record. The router renders the page again after each change, which
 * would delay the record. `npm run bench:web` reports the time as `Enter, until the next record`.
 */
export const useDeferredMoves = (): DeferredMoves => {
  const [moves] = useState(createDeferredMoves)
  useEffect(() => moves.cancel, [moves])
  return moves
}
