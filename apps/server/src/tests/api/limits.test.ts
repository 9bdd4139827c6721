import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, expect, it, test } from 'vitest'
import { problemsIn } from './testing/bodies.ts'
import { type ApiFixture, createApiFixture } from './testing/fixture.ts'
import { forms } from './testing/forms/all.ts'
import type { Form, Part, Rule } from './testing/forms/rule.ts'
import { absent, namedRules, valueAt, withValue } from './testing/forms/values.ts'
import { wireHub } from './testing/hub.ts'
import { type Sent, send, served } from './testing/send.ts'

/**
 * Tests that every key of every request body refuses invalid values: missing, null, wrongly typed, too small or too large. No
 * such value reaches the store.
 */
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

/** The location of a key as problems report it, including the tags of the objects along the path. */
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

const problemsOf = async ({ id }: Form, sent: Sent, body: unknown) => problemsIn(await send(fixture.owner, id, { ...sent, body }))

/** The location of a problem inside a value. If `inside` is `..`, the location of the object that contains the value. */
const insideOf = (loc: readonly Part[], inside: readonly Part[]): readonly Part[] =>
  inside[0] === '..' ? loc.slice(0, -1) : [...loc, ...inside]

const refusals = (form: Form, body: unknown, { at, refused, nullable, nullType, presence }: Rule) => [
  ...refused.map(([value, type, ...inside]) => [value, [type, ...insideOf(locOf(form, body, at), inside)]] as const),
  ...(presence === 'required' ? [[absent, ['missing', ...locOf(form, body, at)]] as const] : []),
  ...(nullable === 'no' ? [[null, [nullType, ...locOf(form, body, at)]] as const] : []),
  ...(nullable === 'patch'
    ? [[null, ['value_error', ...locOf(form, body, [...at.slice(0, -1), 'x']).slice(0, -1)]] as const]
    : []),
]

test.each(namedRules)('%s: rejected values', async (_name, form, rule) => {
  const { body, ...sent } = await form.good(fixture)
  for (const [value, problem] of refusals(form, body, rule)) {
    const reportedProblems = await problemsOf(form, sent, withValue(body, rule.at, value))
    const shown = typeof value === 'symbol' ? 'absent' : JSON.stringify(value)?.slice(0, 80)
    expect([shown, reportedProblems]).toEqual([shown, [problem]])
  }
})

it('covers every route that takes a JSON body', () => {
  const covered = new Set(forms.map(({ id }) => id))
  const sessions = [
    'users.change_my_password',
    'session.create',
    'session.create_by_link',
    'session.create_by_provider',
    'session.hand_over',
    // Each of these takes a token that works only once.
    'invitations.read',
    'invitations.accept',
    'password_links.read',
    'password_links.use',
    // Each request to one of these routes needs a new user and a code that works only once.
    'session.show_second_factor',
    'second_factor.begin',
    'second_factor.activate',
    'second_factor.renew',
    'second_factor.remove',
  ]
  const open = served.filter(({ bodyKind, id }) => bodyKind === 'json' && !covered.has(id) && !sessions.includes(id))
  expect(open.map(({ id }) => id)).toEqual([])
})
