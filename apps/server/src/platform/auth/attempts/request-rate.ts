import { tooMany } from '@postil/contract/wire/errors.ts'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

type RequestRate = {
  /**
   * Counts a request before it is processed.
   * @param client a user, or an address if the user is unknown
   * @throws Problem `too_many`
   */
  readonly count: (client: string) => Promise<void>
}

const SECONDS = 60

/**
 * Counts the requests per minute, for each user or, if the user is unknown, for each address. Each process counts separately.
 * @param perMinute 0 for no limit
 */
export const createRequestRate = (perMinute: number): RequestRate => {
  if (perMinute === 0) return { count: () => Promise.resolve() }
  const limiter = new RateLimiterMemory({ points: perMinute, duration: SECONDS })
  return {
    count: async (client) => {
      try {
        await limiter.consume(client)
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal
        throw tooMany('Too many requests within a minute. Please wait before you try again', refusal.msBeforeNext / 1000)
      }
    },
  }
}
