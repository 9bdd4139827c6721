import { createHmac, randomInt } from 'node:crypto'
import type { Secrets } from '#platform/auth/secrets/secrets.ts'

/** How many seconds a user has to sign in at the provider. The cookie has the same lifetime. */
export const STATE_SECONDS = 90
/** Tolerated difference between the clocks of several servers, in seconds. */
const SKEW_SECONDS = 30

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BASE = LETTERS.length
const RANDOM = 26
const TIME = 6
const FORM = new RegExp(`^[A-Za-z]{${RANDOM + TIME}}$`)

const timeLetters = (seconds: number): string => {
  let letters = ''
  for (let rest = seconds, i = 0; i < TIME; i += 1, rest = Math.floor(rest / BASE)) letters = LETTERS[rest % BASE] + letters
  return letters
}

/** 26 unguessable letters, followed by six letters that encode the creation time. */
export const newState = (now = Date.now()): string =>
  Array.from({ length: RANDOM }, () => LETTERS[randomInt(BASE)]).join('') + timeLetters(Math.floor(now / 1000))

/**
 * Whether a state is well-formed and recent. Doesn't detect forged states. With a forged state, the sign-in fails at the provider
 * (see `secretsOf`).
 */
export const isFresh = (state: string, now = Date.now()): boolean => {
  if (!FORM.test(state)) return false
  const at = [...state.slice(RANDOM)].reduce((seconds, letter) => seconds * BASE + LETTERS.indexOf(letter), 0)
  const age = now / 1000 - at
  return age > -SKEW_SECONDS && age < STATE_SECONDS + SKEW_SECONDS
}

/**
 * The secrets derived from a state. The verifier proves at the token endpoint that this server requested the code (PKCE). The
 * nonce must be repeated in the ID token. Both depend on the state and the server's secret. Therefore, nothing has to be stored
 * between the two requests, and any process can finish a sign-in that another process began. A forged state is useless.
 */
export const secretsOf = (secrets: Secrets, provider: string, state: string): { verifier: string; nonce: string } => {
  const key = secrets.keyFor('oauth')
  const derived = (what: string) => createHmac('sha256', key).update(`${what}\n${provider}\n${state}`).digest('base64url')
  return { verifier: derived('verifier'), nonce: derived('nonce') }
}
