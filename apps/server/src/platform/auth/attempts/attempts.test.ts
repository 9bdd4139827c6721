import { Problem } from '@postil/contract/wire/errors.ts'
import { bootServer } from '@postil/testkit/boot.ts'
import { emptyPlace, emptyStore, testEngine } from '@postil/testkit/store.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '#platform/db/store.ts'
import { type AttemptLimits, createAttempts } from './attempts.ts'
import type { AttemptKey } from './failed-attempts.ts'

let store: Store
let drop: () => Promise<void>
const written: { readonly name: string; readonly args: unknown }[] = []
/** Each test uses a different name, so that it never sees another test's failures. */
let name = ''
let number = 0
beforeAll(async () => {
  const made = await emptyStore({ operations: new URL('./failed-attempts.ts', import.meta.url).href })
  drop = made.drop
  store = {
    ...made.store,
    write: (command, args) => {
      written.push({ name: command.name, args })
      return made.store.write(command, args)
    },
  }
})
afterAll(() => drop())
beforeEach(() => {
  number += 1
  name = `user-${number}`
  written.length = 0
})

const key = new Uint8Array(32).fill(7)
const limits: AttemptLimits = { perAccount: 2, windowMs: 600_000 }
/** Simulates one of several processes that share the store. */
const process = (of = limits) => createAttempts({ store, key }, of)

type Attempts = ReturnType<typeof createAttempts>
const hostName = () => `here-${number}`
const right = (attempts: Attempts, at = hostName(), user: string | null = name) => attempts.make(user, at, async () => 'in')
const outcome = async (made: Promise<unknown>) => {
  try {
    return await made
  } catch (error) {
    return error instanceof Problem ? error.data : (error as Error).message
  }
}
const wrong = (attempts: Attempts, at = hostName(), user: string | null = name) =>
  outcome(attempts.make(user, at, () => Promise.reject(new Error('wrong'))))
const refusal = { kind: 'too_many', retryAfterSeconds: expect.any(Number) }

describe('failed attempts', () => {
  it('are limited per account and address, across all processes, including later ones', async () => {
    const [one, other] = [process(), process()]
    expect([await wrong(one), await wrong(other)]).toEqual(['wrong', 'wrong'])
    for (const at of [one, other, process()]) expect(await outcome(right(at))).toMatchObject(refusal)
    expect(await right(one, 'elsewhere')).toBe('in')
  })

  it('expire', async () => {
    const attempts = process({ ...limits, windowMs: 1000 })
    await wrong(attempts)
    await wrong(attempts)
    const refused = (await wrong(attempts)) as { readonly retryAfterSeconds: number }
    expect(refused.retryAfterSeconds).toBeLessThanOrEqual(1)
    await expect.poll(() => wrong(attempts), { timeout: 5000, interval: 100 }).toBe('wrong')
  })

  it('have a higher limit for one account from many addresses, and for one address with many accounts', async () => {
    const attempts = process()
    for (let i = 0; i < 20; i += 1) await wrong(attempts, `address ${number} ${i}`)
    expect(await wrong(attempts, 'a new one')).toMatchObject(refusal)
    for (let i = 0; i < 20; i += 1) await wrong(attempts, hostName(), `${name} ${i}`)
    expect(await wrong(attempts, hostName(), 'somebody')).toMatchObject(refusal)
    expect(await wrong(attempts, hostName(), null)).toMatchObject(refusal)
    expect(await wrong(attempts, 'there', `${name} else`)).toBe('wrong')
  })

  it('are counted together for all addresses of one IPv6 network', async () => {
    const attempts = process()
    const from = (host: string, network = 'a') => `2001:db8:${number}:${network}::${host}`
    expect([await wrong(attempts, from('1')), await wrong(attempts, from('2'))]).toEqual(['wrong', 'wrong'])
    expect(await outcome(right(attempts, from('3')))).toMatchObject(refusal)
    expect(await right(attempts, from('1', 'b'))).toBe('in')
  })

  it('count while they are in progress', async () => {
    const attempts = process()
    const made = await Promise.all(Array.from({ length: 6 }, () => wrong(attempts)))
    expect(made.filter((one) => one === 'wrong')).toHaveLength(2)
    expect(await wrong(attempts)).toMatchObject(refusal)
  })

  it('block for longer when several processes receive them at once', async () => {
    const seconds = limits.windowMs / 1000
    const made = await Promise.all(Array.from({ length: 6 }, () => wrong(process())))
    const through = made.filter((one) => one === 'wrong').length
    const late = (await wrong(process())) as { readonly retryAfterSeconds: number }
    expect(late.retryAfterSeconds).toBeGreaterThan((seconds * through) / limits.perAccount - 30)
    expect(late.retryAfterSeconds).toBeLessThanOrEqual((seconds * through) / limits.perAccount)
  })

  it('are stored without names and addresses', async () => {
    await wrong(process())
    const [{ args } = { args: {} }] = written
    const { keys } = args as { readonly keys: readonly AttemptKey[] }
    expect(keys.map(({ key_hash }) => key_hash)).toEqual(Array(3).fill(expect.stringMatching(/^[0-9a-f]{64}$/)))
    expect(JSON.stringify(written)).not.toMatch(/user-|here-/)
  })
})

describe('successful attempts', () => {
  it('don’t count, and write nothing without earlier failures', async () => {
    const attempts = process()
    for (let i = 0; i < 30; i += 1) expect(await right(attempts)).toBe('in')
    expect(written).toEqual([])
  })

  it('clear the failures of that account and address', async () => {
    const attempts = process()
    for (let i = 0; i < 4; i += 1) expect([await wrong(attempts), await right(attempts)]).toEqual(['wrong', 'in'])
    expect(await wrong(attempts)).toBe('wrong')
    expect(await wrong(attempts)).toBe('wrong')
    expect(await wrong(attempts)).toMatchObject(refusal)
  })

  it('don’t clear a whole address', async () => {
    const attempts = process()
    for (let i = 0; i < 20; i += 1) {
      expect(await wrong(attempts, hostName(), null)).toBe('wrong')
      if (i < 19) expect(await right(attempts, hostName(), null)).toBe('in')
    }
    expect(await outcome(right(attempts, hostName(), null))).toMatchObject(refusal)
  })

  it('count where attempts can’t fail', async () => {
    const [one, other] = [process(), process()]
    for (let i = 0; i < 10; i += 1) for (const attempts of [one, other]) await attempts.spend(hostName())
    expect(await outcome(one.spend(hostName()))).toMatchObject(refusal)
    await other.spend('another')
  })
})

const sameOriginHeaders = { 'sec-fetch-site': 'same-origin', 'x-postil-csrf': '1' }
const env = { POSTIL_SIGN_IN_ATTEMPTS: '3' }

it('attempts stay blocked after a restart of the server', async () => {
  const place = await emptyPlace()
  const guess = async (times: number) => {
    const server = await bootServer({ place, env })
    const statuses: number[] = []
    for (let i = 0; i < times; i += 1)
      statuses.push(
        (await server.clientFor(null).post('/session', { username: 'owner', password: 'wrong' }, sameOriginHeaders)).status,
      )
    await server.close()
    return statuses
  }
  expect(await guess(2)).toEqual([401, 401])
  expect(await guess(2)).toEqual([401, 429])
  await place.drop()
})

// Not for SQLite, because an embedded database has only one server.
it.skipIf(testEngine() === 'sqlite')('attempts are blocked on every server of a database', async () => {
  const place = await emptyPlace()
  const servers = [await bootServer({ place, env }), await bootServer({ place, env })] as const
  const guess = async (server: (typeof servers)[number], password = 'wrong') =>
    (await server.clientFor(null).post('/session', { username: 'owner', password }, sameOriginHeaders)).status
  const [one, other] = servers
  expect([await guess(one), await guess(other), await guess(one)]).toEqual([401, 401, 401])
  expect([await guess(other, one.owner.password), await guess(one, one.owner.password)]).toEqual([429, 429])
  await Promise.all(servers.map((server) => server.close()))
  await place.drop()
})
