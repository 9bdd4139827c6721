import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { problemsIn } from './testing/bodies.ts'
import { forms } from './testing/forms/all.ts'
import type { Form, Part, Rule } from './testing/forms/rule.ts'
import { wireHub } from './testing/hub.ts'
import { endpointOf, type Sent, send, served } from './testing/send.ts'
import { type Stage, setStage } from './testing/stage.ts'

/** Every key of every body that a route takes: what is missing, null, of a wrong type, too small, too large, and just right. */
let server: TestServer
let stage: Stage
let hub: Awaited<ReturnType<typeof wireHub>>
beforeAll(async () => {
  hub = await wireHub()
  server = await bootServer({ env: hub.env })
  stage = await setStage(server, 'limits')
})
afterAll(async () => {
  await server.close()
  await hub.close()
})

const absent = Symbol('absent')
type Tree = { [key: string]: unknown }

/** A copy with another value at a place; the objects on the way are there or are made. */
const withValue = (body: unknown, at: readonly Part[], value: unknown): unknown => {
  const copy: unknown = structuredClone(body)
  let inner = copy as Tree
  for (const part of at.slice(0, -1)) {
    inner[part] ??= {}
    inner = inner[part] as Tree
  }
  const last = at.at(-1) ?? ''
  if (value === absent) delete inner[last]
  else inner[last] = value
  return copy
}
const valueAt = (tree: unknown, at: readonly Part[]): unknown =>
  at.reduce<unknown>((inner, part) => (inner as Tree)?.[part], tree)

/** The place as a problem names it: with the tags of the objects on the way. */
const locOf = ({ tags = {} }: Form, body: unknown, at: readonly Part[]): Part[] => {
  const loc: Part[] = ['body']
  for (let length = 0; length < at.length; length += 1) {
    const path = at.slice(0, length)
    const tag = tags[path.join('.')]
    if (length > 0) loc.push(at[length - 1] as Part)
    if (tag !== undefined) loc.push(String(valueAt(body, [...path, tag])))
  }
  return at.length === 0 ? loc : [...loc, at.at(-1) as Part]
}

/** A person has a number of jobs at a time: what starts one more waits until one has ended. */
const sendInTurn = async (id: string, sent: Sent) => {
  for (;;) {
    const answer = await send(stage.owner, id, sent)
    if (answer.status !== 429) return answer
    await new Promise((done) => setTimeout(done, 100))
  }
}

const problemsOf = async ({ id }: Form, sent: Sent, body: unknown) => problemsIn(await send(stage.owner, id, { ...sent, body }))

const refusals = (form: Form, body: unknown, { at, refused, nullable, nullType, presence }: Rule) => [
  ...refused.map(([value, type, ...inside]) => [value, [type, ...locOf(form, body, at), ...inside]] as const),
  ...(presence === 'required' ? [[absent, ['missing', ...locOf(form, body, at)]] as const] : []),
  ...(nullable === 'no' ? [[null, [nullType, ...locOf(form, body, at)]] as const] : []),
  ...(nullable === 'patch'
    ? [[null, ['value_error', ...locOf(form, body, [...at.slice(0, -1), 'x']).slice(0, -1)]] as const]
    : []),
]
const goods = ({ accepted, nullable, presence }: Rule) => [
  ...accepted,
  ...(nullable === 'yes' ? [[null, undefined] as const] : []),
  ...(presence === 'optional' ? [[absent, undefined] as const] : []),
]

const lines = forms.flatMap((form) =>
  form.rules.map(
    (rule) => [`${form.id}${form.what === undefined ? '' : `, ${form.what}`}: ${rule.at.join('.')}`, form, rule] as const,
  ),
)

describe('what is refused', () => {
  test.each(lines)('%s', async (_name, form, rule) => {
    const { body, ...sent } = await form.good(stage)
    for (const [value, problem] of refusals(form, body, rule)) {
      const told = await problemsOf(form, sent, withValue(body, rule.at, value))
      const shown = typeof value === 'symbol' ? 'absent' : JSON.stringify(value)?.slice(0, 80)
      expect([shown, told]).toEqual([shown, [problem]])
    }
  })
})

describe('what is accepted', () => {
  test.each(lines)('%s', async (_name, form, rule) => {
    for (const [value, readBack = value] of goods(rule)) {
      const { body, ...sent } = await form.good(stage)
      const answer = await sendInTurn(form.id, { ...sent, body: withValue(body, rule.at, value) })
      expect([answer.status, answer.body]).toEqual([expect.toBeOneOf([...endpointOf(form.id).successes]), answer.body])
      if (value !== absent && value !== null && !rule.writeOnly) expect(valueAt(answer.body, rule.at)).toEqual(readBack)
    }
  })
})

describe('keys that a body does not have', () => {
  const strange = { id: 'x', status: 7, inserted_at: [], updated_at: null, dataset_id: {}, __proto__x: 1, 'a.b': null, '': '\0' }
  test.each(forms.map((form) => [`${form.id}${form.what === undefined ? '' : `, ${form.what}`}`, form] as const))(
    '%s ignores them at every level',
    async (_name, form) => {
      const known = (at: readonly Part[]) =>
        new Set(
          form.rules
            .map((rule) => rule.at)
            .filter((path) => path.length > at.length)
            .map((path) => path[at.length]),
        )
      const { body, ...sent } = await form.good(stage)
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
      const answer = await sendInTurn(form.id, { ...sent, query: { ...sent.query, unknown: 'x' }, body: filled })
      expect([answer.status, answer.body]).toEqual([expect.toBeOneOf([...endpointOf(form.id).successes]), answer.body])
    },
  )
})

it('covers every route that takes a body in JSON', () => {
  const covered = new Set(forms.map(({ id }) => id))
  const sessions = [
    'users.change_my_password',
    'session.create',
    'session.create_by_link',
    'session.create_by_provider',
    'session.hand_over',
    // Each by a code that counts once, of somebody new.
    'session.show_second_factor',
    'second_factor.begin',
    'second_factor.activate',
    'second_factor.renew',
    'second_factor.remove',
  ]
  const open = served.filter(({ bodyKind, id }) => bodyKind === 'json' && !covered.has(id) && !sessions.includes(id))
  expect(open.map(({ id }) => id)).toEqual([])
})
