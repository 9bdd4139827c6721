import { tooMany } from '@postil/contract/errors.ts'

export type AttemptLimits = {
  /** Wrong passwords for one account from one address, before it has to wait. */
  readonly perAccount: number
  readonly windowMs: number
}

export type Attempts = {
  /**
   * Counts an attempt before it is made, so that many at once count too.
   * @param username null where it is not known yet: only the address counts then
   * @throws Problem `too_many`
   */
  readonly begin: (username: string | null, address: string) => void
  /** The attempt was right: it does not count, and the account's earlier ones from there are forgiven. */
  readonly succeed: (username: string | null, address: string) => void
}

/** An account or an address as a whole may fail more often: a stranger must not lock somebody out, nor one desk its office. */
const WHOLE = 10
const MAX_KEYS = 50_000

type Entry = { count: number; until: number }

/** Failed sign-ins of this process, in memory. The clock of the process tells the time: nobody waits longer because that of the machine jumps. */
export const createAttempts = ({ perAccount, windowMs }: AttemptLimits, now = (): number => performance.now()): Attempts => {
  const entries = new Map<string, Entry>()
  const keysOf = (username: string | null, address: string): readonly (readonly [string, number])[] => {
    const whole = [`address ${address}`, perAccount * WHOLE] as const
    if (username === null) return [whole]
    return [[`both ${address} ${username}`, perAccount], [`account ${username}`, perAccount * WHOLE], whole]
  }
  const live = (key: string): Entry | undefined => {
    const entry = entries.get(key)
    if (entry === undefined || entry.until > now()) return entry
    entries.delete(key)
    return undefined
  }
  const forgetOldest = () => {
    for (const key of entries.keys()) {
      if (entries.size < MAX_KEYS) return
      entries.delete(key)
    }
  }
  return {
    begin: (username, address) => {
      const keys = keysOf(username, address)
      for (const [key, limit] of keys) {
        const entry = live(key)
        if (entry !== undefined && entry.count >= limit) {
          throw tooMany('Too many sign-ins have failed; please wait before trying again', (entry.until - now()) / 1000)
        }
      }
      forgetOldest()
      for (const [key] of keys) {
        const entry = live(key)
        if (entry === undefined) entries.set(key, { count: 1, until: now() + windowMs })
        else entry.count += 1
      }
    },
    succeed: (username, address) => {
      for (const [key] of keysOf(username, address)) {
        const entry = live(key)
        if (entry === undefined) continue
        if (key.startsWith('both ') || entry.count <= 1) entries.delete(key)
        else entry.count -= 1
      }
    },
  }
}
