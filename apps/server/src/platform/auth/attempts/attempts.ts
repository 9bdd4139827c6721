import { createHmac } from 'node:crypto'
import { tooMany } from '@postil/contract/wire/errors.ts'
import type { Store } from '#platform/db/store.ts'
import { wallClock } from '#platform/time.ts'
import { type AttemptKey, countFailure, findFailures, forgiveFailures } from './failed-attempts.ts'
import { networkOf } from './network-of.ts'

export type AttemptLimits = {
  /** Wrong passwords for one account from one address, before it has to wait. */
  readonly perAccount: number
  readonly windowMs: number
}

export type Attempts = {
  /**
   * Does what shows who somebody is. It has failed when it throws, whatever the reason; a success forgives the account's failures from there.
   * @param username null where it is not known yet: only the address counts then
   * @throws Problem `too_many` before anything is done
   */
  readonly make: <T>(username: string | null, address: string, work: () => Promise<T>) => Promise<T>
  /** Counts against an address what nobody can fail at. @throws Problem `too_many` */
  readonly spend: (address: string) => Promise<void>
}

/** An account or an address as a whole may fail more often: a stranger must not lock somebody out, nor one desk its office. */
const WHOLE = 10
const MICROS_A_MS = 1000
const MICROS_A_SECOND = 1_000_000
const SOON_SECONDS = 1

/** Runs what is given under one name one after the other. */
const createTurns = () => {
  const last = new Map<string, Promise<unknown>>()
  return <T>(name: string, run: () => Promise<T>): Promise<T> => {
    const mine = (last.get(name) ?? Promise.resolve()).then(run)
    const over = mine
      .catch(() => undefined)
      .then(() => {
        if (last.get(name) === over) last.delete(name)
      })
    last.set(name, over)
    return mine
  }
}

/** How many are on their way, by key. */
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

/** A key for its own failures, and those of an account or an address as a whole behind it. */
type Keys = readonly [own: AttemptKey, ...whole: AttemptKey[]]

/**
 * Failed sign-ins, kept in the store, so that all processes count them together and none forgets them when it ends. What is on its way in this process
 * counts as if it had failed. Names and addresses are kept as keyed hashes: people type passwords into the field of the name.
 * @param key for the hashes, the same in all processes
 */
export const createAttempts = (
  { store, key }: { readonly store: Pick<Store, 'read' | 'write'>; readonly key: Uint8Array },
  { perAccount, windowMs }: AttemptLimits,
): Attempts => {
  const inTurn = createTurns()
  const onTheWay = createCounts()
  const window = windowMs * MICROS_A_MS
  const keyOf = (limit: number, ...parts: readonly string[]): AttemptKey => ({
    key_hash: createHmac('sha256', key).update(JSON.stringify(parts), 'utf8').digest('hex'),
    limit,
  })
  const ofAddress = (address: string): AttemptKey => keyOf(perAccount * WHOLE, 'address', networkOf(address))

  /** Has an attempt begin. @returns whether failures of its own key are known. @throws Problem too_many */
  const begin = async (keys: Keys): Promise<boolean> => {
    // NOTE: before it is looked what has failed, so that nothing which fails meanwhile is left out
    const before = keys.map(onTheWay.of)
    onTheWay.add(keys, 1)
    try {
      const known = new Map((await store.read(findFailures, { keys })).map((row) => [row.key_hash, row]))
      for (const [at, { key_hash, limit }] of keys.entries()) {
        const row = known.get(key_hash)
        if ((row?.failed ?? 0) + (before[at] ?? 0) < limit) continue
        const seconds = row === undefined ? SOON_SECONDS : (row.until - wallClock()) / MICROS_A_SECOND
        throw tooMany('Too many sign-ins have failed; please wait before trying again', Math.max(seconds, SOON_SECONDS))
      }
      return known.has(keys[0].key_hash)
    } catch (error) {
      onTheWay.add(keys, -1)
      throw error
    }
  }
  const end = (keys: Keys, written: Promise<void>): Promise<void> => written.finally(() => onTheWay.add(keys, -1))
  const fail = (keys: Keys) => inTurn(keys[0].key_hash, () => end(keys, store.write(countFailure, { keys, window })))
  const succeed = (keys: Keys, forgives: boolean) =>
    end(keys, forgives ? store.write(forgiveFailures, { key_hash: keys[0].key_hash }) : Promise.resolve())

  const make = async <T>(keys: Keys, work: () => Promise<T>, { forgives }: { readonly forgives: boolean }): Promise<T> => {
    const isKnown = await inTurn(keys[0].key_hash, () => begin(keys))
    let done: T
    try {
      done = await work()
    } catch (error) {
      // NOTE: a store that takes no write now lets nobody in either, and what went wrong first is what the caller is told
      await fail(keys).catch(() => undefined)
      throw error
    }
    await succeed(keys, forgives && isKnown)
    return done
  }

  return {
    make: (username, address, work) => {
      if (username === null) return make([ofAddress(address)], work, { forgives: false })
      const [own, account] = [
        keyOf(perAccount, 'both', networkOf(address), username),
        keyOf(perAccount * WHOLE, 'account', username),
      ]
      return make([own, account, ofAddress(address)], work, { forgives: true })
    },
    spend: async (address) => {
      const keys: Keys = [ofAddress(address)]
      await inTurn(keys[0].key_hash, () => begin(keys))
      await fail(keys)
    },
  }
}
