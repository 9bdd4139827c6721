/** Limits how many expensive operations each user runs at a time. Further operations wait in order. */
export type Shares = {
  /**
   * Waits until the user has a free share, which allows one operation. @returns a function that releases the share; calling it
   * again does nothing
   */
  readonly take: (user: string) => Promise<() => void>
}

type Holder = { taken: number; readonly waiting: (() => void)[] }

/** @param perUser number of shares that each user has */
export const createShares = (perUser: number): Shares => {
  const holders = new Map<string, Holder>()
  const giveBack = (user: string, holder: Holder): void => {
    const next = holder.waiting.shift()
    if (next !== undefined) next()
    else if (--holder.taken === 0) holders.delete(user)
  }
  return {
    take: async (user) => {
      const holder = holders.get(user) ?? { taken: 0, waiting: [] }
      holders.set(user, holder)
      if (holder.taken < perUser) holder.taken += 1
      else await new Promise<void>((resolve) => holder.waiting.push(resolve))
      let held = true
      return () => {
        if (held) giveBack(user, holder)
        held = false
      }
    },
  }
}

/**
 * Limits how many operations each user runs at a time. Created once at start. Each kind of operation has its own limit, so that
 * no kind waits for another.
 */
export type UserShares = {
  /** Responses that consist of several batches. Each response needs memory for one or two batches. */
  readonly largeReads: Shares
  /** Downloads. A slow client may take hours to receive one. */
  readonly downloads: Shares
  /** Searches in the slow lane. Limited, so that one user's searches can't delay everyone else's. */
  readonly slowSearches: Shares
}

export const createUserShares = (): UserShares => ({
  largeReads: createShares(2),
  downloads: createShares(2),
  slowSearches: createShares(1),
})
