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
/** Another name for each test, so that none meets the failures of another. */
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
/** One process of those that share the store. */
const process = (of = limits) => createAttempts({ store, key }, of)

type Attempts = ReturnType<typeof createAttempts>
const here = () => `here-${number}`
const right = (attempts: Attempts, at = here(), user: string | null = name) => attempts.make(user, at, async () => 'in')
const outcome = async (made: Promise<unknown>) => {
  try {
    return await made
  } catch (error) {
    return error instanceof Problem ? error.data : (error as Error).message
  }
}
const wrong = (attempts: Attempts, at = here(), user: string | null = name) =>
  outcome(attempts.make(user, at, () => Promise.reject(new Error('wrong'))))
const refusal = { kind: 'too_many', retryAfterSeconds: expect.any(Number) }

describe('attempts that fail', () => {
  it('are bounded for an account and an address, together for all processes, also for those that start later', async () => {
    const [one, other] = [process(), process()]
    expect([await wrong(one), await wrong(other)]).toEqual(['wrong', 'wrong'])
    for (const at of [one, other, process()]) expect(await outcome(right(at))).toMatchObject(refusal)
    expect(await right(one, 'elsewhere')).toBe('in')
  })

  it('are forgotten after a while', async () => {
    const attempts = process({ ...limits, windowMs: 1000 })
    await wrong(attempts)
    await wrong(attempts)
    const refused = (await wrong(attempts)) as { readonly retryAfterSeconds: number }
    expect(refused.retryAfterSeconds).toBeLessThanOrEqual(1)
    await expect.poll(() => wrong(attempts), { timeout: 5000, interval: 100 }).toBe('wrong')
  })

  it('have a wider bound from many addresses for one account, and from one for many', async () => {
    const attempts = process()
    for (let i = 0; i < 20; i += 1) await wrong(attempts, `address ${number} ${i}`)
    expect(await wrong(attempts, 'a new one')).toMatchObject(refusal)
    for (let i = 0; i < 20; i += 1) await wrong(attempts, here(), `${name} ${i}`)
    expect(await wrong(attempts, here(), 'somebody')).toMatchObject(refusal)
    expect(await wrong(attempts, here(), null)).toMatchObject(refusal)
    expect(await wrong(attempts, 'there', `${name} else`)).toBe('wrong')
  })

  it('count together from all addresses of one network of version 6', async () => {
    const attempts = process()
    const from = (host: string, network = 'a') => `2001:db8:${number}:${network}::${host}`
    expect([await wrong(attempts, from('1')), await wrong(attempts, from('2'))]).toEqual(['wrong', 'wrong'])
    expect(await outcome(right(attempts, from('3')))).toMatchObject(refusal)
    expect(await right(attempts, from('1', 'b'))).toBe('in')
  })

  it('count while they are on their way', async () => {
    const attempts = process()
    const made = await Promise.all(Array.from({ length: 6 }, () => wrong(attempts)))
    expect(made.filter((one) => one === 'wrong')).toHaveLength(2)
    expect(await wrong(attempts)).toMatchObject(refusal)
  })

  it('cost longer when they came at once through several processes', async () => {
    const seconds = limits.windowMs / 1000
    const made = await Promise.all(Array.from({ length: 6 }, () => wrong(process())))
    const through = made.filter((one) => one === 'wrong').length
    const late = (await wrong(process())) as { readonly retryAfterSeconds: number }
    expect(late.retryAfterSeconds).toBeGreaterThan((seconds * through) / limits.perAccount - 30)
    expect(late.retryAfterSeconds).toBeLessThanOrEqual((seconds * through) / limits.perAccount)
  })

  it('are kept without names and addresses', async () => {
    await wrong(process())
    const [{ args } = { args: {} }] = written
    const { keys } = args as { readonly keys: readonly AttemptKey[] }
    expect(keys.map(({ key_hash }) => key_hash)).toEqual(Array(3).fill(expect.stringMatching(/^[0-9a-f]{64}$/)))
    expect(JSON.stringify(written)).not.toMatch(/user-|here-/)
  })
})

describe('attempts that succeed', () => {
  it('do not count, and write nothing where none has failed', async () => {
    const attempts = process()
    for (let i = 0; i < 30; i += 1) expect(await right(attempts)).toBe('in')
    expect(written).toEqual([])
  })

  it('forgive what has failed there', async () => {
    const attempts = process()
    for (let i = 0; i < 4; i += 1) expect([await wrong(attempts), await right(attempts)]).toEqual(['wrong', 'in'])
    expect(await wrong(attempts)).toBe('wrong')
    expect(await wrong(attempts)).toBe('wrong')
    expect(await wrong(attempts)).toMatchObject(refusal)
  })

  it('forgive no address as a whole', async () => {
    const attempts = process()
    for (let i = 0; i < 20; i += 1) {
      expect(await wrong(attempts, here(), null)).toBe('wrong')
      if (i < 19) expect(await right(attempts, here(), null)).toBe('in')
    }
    expect(await outcome(right(attempts, here(), null))).toMatchObject(refusal)
  })

  it('count where nobody can fail', async () => {
    const [one, other] = [process(), process()]
    for (let i = 0; i < 10; i += 1) for (const attempts of [one, other]) await attempts.spend(here())
    expect(await outcome(one.spend(here()))).toMatchObject(refusal)
    await other.spend('another')
  })
})

const ours = { 'sec-fetch-site': 'same-origin', 'x-postil-csrf': '1' }
const env = { POSTIL_SIGN_IN_ATTEMPTS: '3' }

it('wait at a server that was started anew', async () => {
  const place = await emptyPlace()
  const guess = async (times: number) => {
    const server = await bootServer({ place, env })
    const statuses: number[] = []
    for (let i = 0; i < times; i += 1)
      statuses.push((await server.as(null).post('/session', { username: 'owner', password: 'wrong' }, ours)).status)
    await server.close()
    return statuses
  }
  expect(await guess(2)).toEqual([401, 401])
  expect(await guess(2)).toEqual([401, 429])
  await place.drop()
})

// NOTE: an embedded store has one server
it.skipIf(testEngine() === 'sqlite')('wait at each server of a database', async () => {
  const place = await emptyPlace()
  const servers = [await bootServer({ place, env }), await bootServer({ place, env })] as const
  const guess = async (server: (typeof servers)[number], password = 'wrong') =>
    (await server.as(null).post('/session', { username: 'owner', password }, ours)).status
  const [one, other] = servers
  expect([await guess(one), await guess(other), await guess(one)]).toEqual([401, 401, 401])
  expect([await guess(other, one.owner.password), await guess(one, one.owner.password)]).toEqual([429, 429])
  await Promise.all(servers.map((server) => server.close()))
  await place.drop()
})
