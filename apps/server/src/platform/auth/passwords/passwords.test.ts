import { hash as bcryptHash } from '@node-rs/bcrypt'
import { describe, expect, it } from 'vitest'
import { createPasswords } from './passwords.ts'

const cheap = { memoryCost: 8, timeCost: 1 }

describe('passwords', () => {
  it('are stored as argon2id, with a different hash each time', async () => {
    const passwords = createPasswords()
    const [one, two] = [await passwords.hash('secret'), await passwords.hash('secret')]
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(one).not.toBe(two)
    expect(await passwords.verify(one, 'secret')).toEqual({ matches: true, rehash: false })
    expect(await passwords.verify(one, 'Secret')).toEqual({ matches: false, rehash: false })
  })

  it('in other formats match and request a new hash', async () => {
    const passwords = createPasswords(cheap)
    expect(await passwords.verify(await bcryptHash('secret', 4), 'secret')).toEqual({ matches: true, rehash: true })
    expect(await passwords.verify(await bcryptHash('secret', 4), 'other')).toMatchObject({ matches: false })
    expect(await passwords.verify(await createPasswords({ memoryCost: 16, timeCost: 1 }).hash('secret'), 'secret')).toEqual({
      matches: true,
      rehash: true,
    })
  })

  it('of unknown users never match and take equally long', async () => {
    const passwords = createPasswords({ memoryCost: 32_768, timeCost: 3 })
    const stored = await passwords.hash('secret')
    const fastest = { nobody: Number.POSITIVE_INFINITY, somebody: Number.POSITIVE_INFINITY }
    // Alternates the two cases and measures CPU time, so that other load on the machine doesn't skew the comparison.
    for (let i = 0; i < 10; i += 1) {
      for (const [who, of] of [
        ['nobody', null],
        ['somebody', stored],
      ] as const) {
        const start = process.cpuUsage()
        expect((await passwords.verify(of, 'nobody has this password')).matches).toBe(false)
        const { user, system } = process.cpuUsage(start)
        fastest[who] = Math.min(fastest[who], user + system)
      }
    }
    const ratio = fastest.nobody / fastest.somebody
    expect(ratio).toBeGreaterThan(0.5)
    expect(ratio).toBeLessThan(2)
  })

  it('are queued, and rejected beyond a limit', async () => {
    const passwords = createPasswords(cheap)
    const outcomes = await Promise.allSettled(Array.from({ length: 400 }, () => passwords.hash('x')))
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused.length).toBe(400 - 202)
    expect(refused[0]).toMatchObject({ reason: { data: { kind: 'unavailable' } } })
    expect(await passwords.hash('x')).toMatch(/^\$argon2id/)
  })
})
