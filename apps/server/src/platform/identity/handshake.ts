import { createHmac, randomInt } from 'node:crypto'
import type { Secrets } from '#platform/auth/secrets/secrets.ts'

/** How long somebody may take at the provider, seconds; the cookie lives as long. */
export const STATE_SECONDS = 90
/** Clocks of several servers differ a little. */
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

/** 32 letters that nobody can guess; the last six say when they were made. */
export const newState = (now = Date.now()): string =>
  Array.from({ length: RANDOM }, () => LETTERS[randomInt(BASE)]).join('') + timeLetters(Math.floor(now / 1000))

/** Whether a state is of the right form and not too old. That it is one of ours shows at the provider: see `secretsOf`. */
export const isFresh = (state: string, now = Date.now()): boolean => {
  if (!FORM.test(state)) return false
  const at = [...state.slice(RANDOM)].reduce((seconds, letter) => seconds * BASE + LETTERS.indexOf(letter), 0)
  const age = now / 1000 - at
  return age > -SKEW_SECONDS && age < STATE_SECONDS + SKEW_SECONDS
}

/**
 * What goes with a state and stays secret: the verifier that proves at the token endpoint that we asked for the code (PKCE), and the
 * nonce that the id token must repeat. Both follow from the state and the server's secret: nothing has to be kept between the two
 * requests, every process can finish what another has begun, and a state that somebody made up leads nowhere.
 */
export const secretsOf = (secrets: Secrets, provider: string, state: string): { verifier: string; nonce: string } => {
  const key = secrets.keyFor('oauth')
  const derived = (what: string) => createHmac('sha256', key).update(`${what}\n${provider}\n${state}`).digest('base64url')
  return { verifier: derived('verifier'), nonce: derived('nonce') }
}
