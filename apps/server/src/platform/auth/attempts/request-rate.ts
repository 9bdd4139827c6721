import { tooMany } from '@postil/contract/wire/errors.ts'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

export type RequestRate = {
  /**
   * Counts a request before it is worked on.
   * @param who a user, or the address of whoever is not known
   * @throws Problem `too_many`
   */
  readonly count: (who: string) => Promise<void>
}

const SECONDS = 60

/** Requests of each user and each unknown address to this process, minute by minute. @param perMinute 0 for any number */
export const createRequestRate = (perMinute: number): RequestRate => {
  if (perMinute === 0) return { count: () => Promise.resolve() }
  const limiter = new RateLimiterMemory({ points: perMinute, duration: SECONDS })
  return {
    count: async (who) => {
      try {
        await limiter.consume(who)
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal
        throw tooMany('Too many requests within a minute; please wait before trying again', refusal.msBeforeNext / 1000)
      }
    },
  }
}
