/** Lets each user do a limited number of expensive things at a time. Everything above the limit waits in order. */
export type Shares = {
  /** Waits until the user has a free share. @returns a function that gives the share back; calling it again does nothing */
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

/** How many answers larger than one batch a user receives at a time. Each occupies memory for a batch or two. */
export const LARGE_READS_PER_USER = 2
