import { Problem } from '@postil/contract/wire/errors.ts'
import { defaultLimits } from '@postil/contract/wire/limits.ts'
import { afterAll, expect, it } from 'vitest'
import { oddParser, steppingParser } from '../testing/body-module.ts'
import { echoed } from '../testing/echo.ts'
import { endpointBody } from './body-parsers.ts'
import { createBodyPool } from './body-pool.ts'

const limits = { ...defaultLimits, labelOptions: 7 }
const pool = createBodyPool({ module: new URL('../testing/body-module.ts', import.meta.url).href, limits })
afterAll(() => pool.close())

const bytes = (text: string) => Buffer.from(text)
const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

it("returns each body's own result, refusal or error", async () => {
  const [odd, fine, refused, broken, fault] = await Promise.all([
    pool.parse(oddParser, Buffer.alloc(1000)),
    pool.parse(endpointBody(echoed), bytes('{"name":"a"}')),
    failure(pool.parse(endpointBody(echoed), bytes('{}'))),
    failure(pool.parse(endpointBody(echoed), bytes('{'))),
    failure(pool.parse(oddParser, bytes('fault'))),
  ])
  expect(odd).toEqual({ limits, length: 1000 })
  expect(fine).toEqual({ name: 'a', tags: [] })
  expect(refused).toBeInstanceOf(Problem)
  expect(refused).toMatchObject({ data: { errors: [{ type: 'missing', loc: ['body', 'name'] }] } })
  expect(broken).toMatchObject({ data: { errors: [{ type: 'json_invalid' }] } })
  expect(fault).not.toBeInstanceOf(Problem)
  expect(fault).toMatchObject({ message: 'a fault of ours' })
})

it("returns the two parts of a body in order, and the second part's error to its caller", async () => {
  const [fine, other, fault] = await Promise.all([
    pool.parse(steppingParser, bytes('one')),
    pool.parse(steppingParser, bytes('three')),
    pool.parse(steppingParser, bytes('fault')),
  ])
  expect([fine.first, other.first, fault.first]).toEqual([3, 5, 5])
  expect(await other.rest()).toBe('THREE')
  expect(await fine.rest()).toBe('ONE')
  expect(await failure(Promise.resolve(fault.rest()))).toMatchObject({ message: 'a fault of ours' })
  expect(await pool.parse(oddParser, bytes('again'))).toMatchObject({ length: 5 })
})

it('reports a parser that the thread does not know', async () => {
  const parser = { name: 'nobody', parse: () => null }
  expect(await failure(pool.parse(parser, bytes('{}')))).toMatchObject({ message: expect.stringContaining('nobody') })
})

it('refuses waiting bodies when the thread dies, and starts a new thread', async () => {
  const [first, second] = await Promise.all([
    failure(pool.parse(oddParser, bytes('exit'))),
    failure(pool.parse(oddParser, bytes('later'))),
  ])
  for (const error of [first, second]) expect(error).toMatchObject({ data: { kind: 'unavailable' } })
  expect(await pool.parse(oddParser, bytes('again'))).toMatchObject({ length: 5 })
})

it('refuses the rest of a body if the thread dies while parsing it', async () => {
  const rest = pool.parse(steppingParser, bytes('exit')).then((started) => started.rest())
  expect(await failure(rest)).toMatchObject({ data: { kind: 'unavailable' } })
})

it('starts its thread in advance for an expected body', async () => {
  const other = createBodyPool({ module: new URL('../testing/body-module.ts', import.meta.url).href, limits })
  const started: unknown[] = []
  const note = (worker: unknown) => started.push(worker)
  process.on('worker', note)
  other.expect()
  other.expect()
  expect(await other.parse(oddParser, bytes('come'))).toMatchObject({ length: 4 })
  process.off('worker', note)
  expect(started).toHaveLength(1)
  await other.close()
})
