import { expect, test } from 'vitest'
import { z } from 'zod'
import { kindFault, kindIn } from './kinds.ts'
import { tagged } from './tagged.ts'

const label = { type: z.literal('label'), options: z.string() }
const settings = tagged('type', [
  z.object({ ...label, postil_kind: z.literal('yes_no'), texts: z.string() }),
  z.object(label),
  z.object({ type: z.literal('text') }),
])

test.each([
  [{ type: 'label' }, 'label'],
  [{ type: 'label', postil_kind: 'yes_no' }, 'yes_no'],
  [{ type: 'label', postil_kind: 'constructor' }, 'label'],
  [{ type: 'label', postil_kind: ['yes_no'] }, 'label'],
])('%j names the kind %s', (names, kind) => {
  expect(kindIn({ label: 1, yes_no: 1 }, names)).toBe(kind)
})

test('a kind has its own schema, and any other kind that of the published type', () => {
  const sent = { type: 'label', options: 'o', texts: 't' }
  expect(settings.parse({ ...sent, postil_kind: 'yes_no' })).toEqual({ ...sent, postil_kind: 'yes_no' })
  for (const postil_kind of [undefined, 'newer', null, 1])
    expect(settings.parse({ ...sent, postil_kind })).toEqual({ type: 'label', options: 'o' })
})

test('the JSON schema contains the kinds', () => {
  const { anyOf = [] } = z.toJSONSchema(settings, { io: 'input' })
  const namesOf = (schema: object) => JSON.parse(JSON.stringify(schema)).properties.postil_kind?.const
  expect(anyOf.map((schema) => namesOf(Object(schema)))).toEqual([undefined, undefined, 'yes_no'])
})

test('a kind of one type is not a kind of another', () => {
  expect(settings.parse({ type: 'text', postil_kind: 'yes_no' })).toEqual({ type: 'text' })
})

test('a fault in a kind has the path of the published type', () => {
  const issuesOf = (sent: object) => settings.safeParse(sent).error?.issues.map(({ path }) => path.map(String))
  expect(issuesOf({ type: 'label', postil_kind: 'yes_no', options: 'o' })).toEqual([['Symbol(tag:label)', 'texts']])
})

test('an update may leave out the kind, but not change it', () => {
  const stored = { type: 'label', postil_kind: 'yes_no' }
  expect([kindFault('Question', stored, { type: 'label' }), kindFault('Question', stored, stored)]).toEqual([null, null])
  expect(kindFault('Question', stored, { type: 'text' })).toBe("Question type cannot be changed: expected 'label' but got 'text'")
  expect(kindFault('Field', { type: 'label' }, stored)).toBe("Field type cannot be changed: expected 'label' but got 'yes_no'")
})
