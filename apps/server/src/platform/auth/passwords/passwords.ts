import { hash as argonHash, verify as argonVerify } from '@node-rs/argon2'
import { verify as bcryptVerify } from '@node-rs/bcrypt'
import { unavailable } from '@postil/contract/wire/errors.ts'

/** Cost of a hash: memory in KiB and number of passes. */
export type PasswordCost = { readonly memoryCost: number; readonly timeCost: number }
/** The second option recommended by RFC 9106, scaled to 19 MiB (OWASP). Takes about 20 ms. */
const defaultCost: PasswordCost = { memoryCost: 19_456, timeCost: 2 }

export type Passwords = {
  readonly hash: (password: string) => Promise<string>
  /**
   * Compares a password with a stored hash. `stored` is null for an unknown user; the comparison then takes the same time as it
   * does for a known user. `rehash` is true if the stored hash has an older format and should be replaced.
   */
  readonly verify: (stored: string | null, password: string) => Promise<{ readonly matches: boolean; readonly rehash: boolean }>
}

const MAX_AT_ONCE = 2
const MAX_WAITING = 200

/** Hashing uses a lot of memory on purpose. Concurrent sign-ins queue so that they don't exhaust it. */
const createGate = () => {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting.length >= MAX_WAITING) throw unavailable('Too many people are signing in at the same time. Try again shortly', 2)
    if (running >= MAX_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}

const isBcrypt = (stored: string) => /^\$2[aby]\$/.test(stored)

export const createPasswords = (cost: PasswordCost = defaultCost): Passwords => {
  const gate = createGate()
  const options = { ...cost, parallelism: 1, outputLen: 32 }
  const hash = (password: string) => gate(() => argonHash(password, options))
  const form = `m=${cost.memoryCost},t=${cost.timeCost},p=1`
  let dummyHash: Promise<string> | null = null

  return {
    hash,
    verify: async (stored, password) => {
      if (stored !== null && isBcrypt(stored)) {
        return { matches: await gate(() => bcryptVerify(password, stored)), rehash: true }
      }
      dummyHash ??= hash('nobody has this password')
      const against = stored ?? (await dummyHash)
      const matches = await gate(() => argonVerify(against, password))
      return { matches: matches && stored !== null, rehash: !against.includes(form) }
    },
  }
}
