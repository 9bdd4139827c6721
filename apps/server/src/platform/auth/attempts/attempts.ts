import { createHmac } from 'node:crypto'
import { tooMany } from '@postil/contract/wire/errors.ts'
import type { Store } from '#platform/db/store.ts'
import { wallClock } from '#platform/time.ts'
import { type AttemptKey, countFailure, findFailures, forgiveFailures } from './failed-attempts.ts'
import { networkOf } from './network-of.ts'

export type AttemptLimits = {
  /** Maximum number of wrong passwords for one account from one address within `windowMs`. Further attempts are refused. */
  readonly perAccount: number
  readonly windowMs: number
}

export type Attempts = {
  /**
   * Runs an authentication attempt. Any exception is treated as a failed attempt. A success clears the account's failures from
   * that address.
   * @param username null if not known yet. In that case, the attempt counts only against the address
   * @throws Problem `too_many` before the attempt runs
   */
  readonly make: <T>(username: string | null, address: string, work: () => Promise<T>) => Promise<T>
  /**
   * Counts an action toward the limit of an address. Used for actions that can't fail but must be limited.
   * @throws Problem `too_many`
   */
  readonly spend: (address: string) => Promise<void>
}

/**
 * Attempts are limited for each account from one address, for each whole account, and for each whole address. The last two limits
 * are this many times higher than the first. With lower limits, a stranger could lock a user out, and one user could lock out
 * everybody at the same address.
 */
const FULL_WEIGHT = 10
const MICROS_A_MS = 1000
const MICROS_A_SECOND = 1_000_000
const SOON_SECONDS = 1

/** Queues functions under names. Functions with the same name run one after another. */
const createQueues = () => {
  const last = new Map<string, Promise<unknown>>()
  return <T>(name: string, run: () => Promise<T>): Promise<T> => {
    const current = (last.get(name) ?? Promise.resolve()).then(run)
    const finished = current
      .catch(() => undefined)
      .then(() => {
        if (last.get(name) === finished) last.delete(name)
      })
    last.set(name, finished)
    return current
  }
}

/** Counts the attempts in progress for each key. */
const createCounts = () => {
  const counts = new Map<string, number>()
  const add = (keys: readonly AttemptKey[], by: number): void => {
    for (const { key_hash } of keys) {
      const n = (counts.get(key_hash) ?? 0) + by
      if (n > 0) counts.set(key_hash, n)
      else counts.delete(key_hash)
    }
  }
  return { of: ({ key_hash }: AttemptKey): number => counts.get(key_hash) ?? 0, add }
}

/** The key of this account from this address, followed by the keys of the whole account and the whole address. */
type Keys = readonly [own: AttemptKey, ...whole: AttemptKey[]]

/**
 * Counts failed sign-ins in the store, so that all processes share the count and it survives restarts. Attempts in progress in
 * this process count as failed. Names and addresses are stored as keyed hashes, because people type passwords into the username
 * field.
 * @param key key for the hashes, the same in all processes
 */
export const createAttempts = (
  { store, key }: { readonly store: Pick<Store, 'read' | 'write'>; readonly key: Uint8Array },
  { perAccount, windowMs }: AttemptLimits,
): Attempts => {
  const runInOrder = createQueues()
  const inFlight = createCounts()
  const window = windowMs * MICROS_A_MS
  const keyOf = (limit: number, ...parts: readonly string[]): AttemptKey => ({
    key_hash: createHmac('sha256', key).update(JSON.stringify(parts), 'utf8').digest('hex'),
    limit,
  })
  const ofAddress = (address: string): AttemptKey => keyOf(perAccount * FULL_WEIGHT, 'address', networkOf(address))

  /** Starts an attempt. @returns whether the account already has failures from this address. @throws Problem too_many */
  const begin = async (keys: Keys): Promise<boolean> => {
    // The attempts in progress are counted before the failures are read, so that no concurrent failure is missed.
    const before = keys.map(inFlight.of)
    inFlight.add(keys, 1)
    try {
      const known = new Map((await store.read(findFailures, { keys })).map((row) => [row.key_hash, row]))
      for (const [at, { key_hash, limit }] of keys.entries()) {
        const row = known.get(key_hash)
        if ((row?.failed ?? 0) + (before[at] ?? 0) < limit) continue
        const seconds = row === undefined ? SOON_SECONDS : (row.until - wallClock()) / MICROS_A_SECOND
        throw tooMany('Too many failed sign-ins. Please wait before you try again', Math.max(seconds, SOON_SECONDS))
      }
      return known.has(keys[0].key_hash)
    } catch (error) {
      inFlight.add(keys, -1)
      throw error
    }
  }
  const end = (keys: Keys, written: Promise<void>): Promise<void> => written.finally(() => inFlight.add(keys, -1))
  const fail = (keys: Keys) => runInOrder(keys[0].key_hash, () => end(keys, store.write(countFailure, { keys, window })))
  const succeed = (keys: Keys, forgives: boolean) =>
    end(keys, forgives ? store.write(forgiveFailures, { key_hash: keys[0].key_hash }) : Promise.resolve())

  const make = async <T>(keys: Keys, work: () => Promise<T>, { forgives }: { readonly forgives: boolean }): Promise<T> => {
    const isKnown = await runInOrder(keys[0].key_hash, () => begin(keys))
    let done: T
    try {
      done = await work()
    } catch (error) {
      // If the store can't record the failure, it can't sign anybody in either. The caller must see the original error.
      await fail(keys).catch(() => undefined)
      throw error
    }
    await succeed(keys, forgives && isKnown)
    return done
  }

  return {
    make: (typed, address, work) => {
      if (typed === null) return make([ofAddress(address)], work, { forgives: false })
      // Different Unicode forms of a username sign in to the same account, so their attempts share one count.
      const username = typed.normalize('NFC')
      const [ownWindow, account] = [
        keyOf(perAccount, 'both', networkOf(address), username),
        keyOf(perAccount * FULL_WEIGHT, 'account', username),
      ]
      return make([ownWindow, account, ofAddress(address)], work, { forgives: true })
    },
    spend: async (address) => {
      const keys: Keys = [ofAddress(address)]
      await runInOrder(keys[0].key_hash, () => begin(keys))
      await fail(keys)
    },
  }
}
