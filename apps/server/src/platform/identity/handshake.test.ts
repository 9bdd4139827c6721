import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSecrets } from '#platform/auth/secrets/secrets.ts'
import { isFresh, newState, STATE_SECONDS, secretsOf } from './handshake.ts'

const day = Date.UTC(2030, 0, 1)

describe('a sign-in state', () => {
  it('has 32 letters and never repeats', () => {
    const made = Array.from({ length: 200 }, () => newState())
    for (const state of made) expect(state).toMatch(/^[A-Za-z]{32}$/)
    expect(new Set(made).size).toBe(200)
  })

  it('is valid for the lifetime of its cookie, with tolerance for clock differences', () => {
    fc.assert(
      fc.property(fc.integer({ min: -600, max: 600 }), (age) => {
        expect(isFresh(newState(day), day + age * 1000)).toBe(age > -30 && age < STATE_SECONDS + 30)
      }),
    )
    for (const state of ['', 'x', 'a'.repeat(31), 'a'.repeat(33), `${'a'.repeat(31)}1`]) expect(isFresh(state)).toBe(false)
  })
})

it('secrets depend on the state, the provider and the server secret, and on nothing else', () => {
  const secrets = createSecrets('a secret of the server')
  const first = secretsOf(secrets, 'github', 'state')
  expect(first).toEqual(secretsOf(createSecrets('a secret of the server'), 'github', 'state'))
  const others = [
    secretsOf(secrets, 'google-oauth2', 'state'),
    secretsOf(secrets, 'github', 'state!'),
    secretsOf(createSecrets('another secret'), 'github', 'state'),
  ]
  const all = [first, ...others].flatMap(({ verifier, nonce }) => [verifier, nonce])
  expect(new Set(all).size).toBe(8)
  for (const one of all) expect(one).toMatch(/^[\w-]{43}$/)
})
