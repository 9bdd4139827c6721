import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { isDailyRun } from '@postil/testkit/detail.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiFixture, createApiFixture } from './testing/fixture.ts'
import type { Part } from './testing/forms/rule.ts'
import { absent, goods, namedForms, namedRules, sendInTurn, valueAt, withValue } from './testing/forms/values.ts'
import { wireHub } from './testing/hub.ts'
import { endpointOf } from './testing/send.ts'

/** For every key of every request body: valid values are stored and can be read back. */
let server: TestServer
let fixture: ApiFixture
let hub: Awaited<ReturnType<typeof wireHub>>
beforeAll(async () => {
  hub = await wireHub()
  server = await bootServer({ env: hub.env })
  fixture = await createApiFixture(server, 'limits')
})
afterAll(async () => {
  await server.close()
  await hub.close()
})

/** Daily runs send each body to one of the engines. */
const some = <const T>(all: readonly T[]): readonly T[] =>
  all.filter((_, index) => !isDailyRun || index % 2 === (process.env['POSTIL_TEST_ENGINE'] === 'postgres' ? 0 : 1))

describe('accepted values', () => {
  test.each(some(namedRules))('%s', async (_name, form, rule) => {
    for (const [value, readBack = value] of goods(rule)) {
      const { body, ...sent } = await form.good(fixture)
      const answer = await sendInTurn(fixture.owner, form.id, { ...sent, body: withValue(body, rule.at, value) })
      expect([answer.status, answer.body]).toEqual([expect.toBeOneOf([...endpointOf(form.id).successes]), answer.body])
      if (value !== absent && value !== null && !rule.writeOnly) expect(valueAt(answer.body, rule.at)).toEqual(readBack)
    }
  })
})

describe('unknown keys in a body', () => {
  const strange = { id: 'x', status: 7, inserted_at: [], updated_at: null, dataset_id: {}, __proto__x: 1, 'a.b': null, '': '\0' }
  test.each(some(namedForms))('%s ignores them at every level', async (_name, form) => {
    const known = (at: readonly Part[]) =>
      new Set(
        form.rules
          .map((rule) => rule.at)
          .filter((path) => path.length > at.length)
          .map((path) => path[at.length]),
      )
    const { body, ...sent } = await form.good(fixture)
    const places = [[], ...new Set(form.rules.map(({ at }) => at.slice(0, -1)))]
    let filled: unknown = body
    for (const at of places) {
      const inner = valueAt(filled, at)
      if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) continue
      const free = Object.fromEntries(
        Object.entries(strange).filter(([key]) => !known(at).has(key) && !Object.hasOwn(inner, key)),
      )
      filled = at.length === 0 ? { ...free, ...inner } : withValue(filled, at, { ...free, ...inner })
    }
    const answer = await sendInTurn(fixture.owner, form.id, { ...sent, query: { ...sent.query, unknown: 'x' }, body: filled })
    expect([answer.status, answer.body]).toEqual([expect.toBeOneOf([...endpointOf(form.id).successes]), answer.body])
  })
})
