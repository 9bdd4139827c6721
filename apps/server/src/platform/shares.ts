/** Limits how many expensive operations each user runs at a time. Others wait in order. */
export type Shares = {
  /** Waits until the user has a free share. @returns a function that releases the share; calling it again does nothing */
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

/** Maximum number of a user's concurrent reads that are larger than one batch. Each occupies memory for a batch or two. */
export const LARGE_READS_PER_USER = 2
