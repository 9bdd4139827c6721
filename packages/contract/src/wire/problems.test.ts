import { expect, test } from 'vitest'
import { z } from 'zod'
import { patch } from './patch.ts'
import { toProblems } from './problems.ts'
import { bool, boolOr, float, int, text, textOrNumber, uuid } from './scalars.ts'
import { tagged } from './tagged.ts'

const problems = (schema: z.ZodType, input: unknown) => {
  const result = schema.safeParse(input)
  if (result.success) throw new Error(`accepted ${JSON.stringify(input)}`)
  return toProblems(result.error, 'body', input).map(({ type, loc }) => [type, ...loc])
}

test('scalars convert what the wire accepts', () => {
  expect(uuid().parse('00000000-0000-0000-0000-00000000000A')).toBe('00000000-0000-0000-0000-00000000000a')
  expect(uuid().parse('0000000000000000000000000000000A')).toBe('00000000-0000-0000-0000-00000000000a')
  expect(['yes', 'Off', 1, 0, 'T', true].map((value) => bool().parse(value))).toEqual([true, false, true, false, true, true])
  expect([2, '2', '2.0', true].map((value) => int().parse(value))).toEqual([2, 2, 2, 1])
  expect([0.5, '1e-3', true].map((value) => float().parse(value))).toEqual([0.5, 0.001, 1])
  expect(textOrNumber().parse(12)).toBe('12')
  expect(text({ max: 2 }).parse('😀😀')).toBe('😀😀')
  expect(boolOr(false).parse(null)).toBe(false)
})

test.each<[z.ZodType, unknown, string]>([
  [uuid(), 'x', 'uuid_parsing'],
  [uuid(), 1, 'uuid_type'],
  [bool(), null, 'bool_type'],
  [bool(), 2, 'bool_parsing'],
  [bool(), 'maybe', 'bool_parsing'],
  [bool(), 0.5, 'bool_type'],
  [int(), 1.5, 'int_from_float'],
  [int(), 'a', 'int_parsing'],
  [int(), 2 ** 53, 'int_parsing_size'],
  [int({ ge: 1 }), 0, 'greater_than_equal'],
  [int({ gt: 0 }), 0, 'greater_than'],
  [int({ le: 1 }), 2, 'less_than_equal'],
  [float(), [], 'float_type'],
  [float(), '0x10', 'float_parsing'],
  [text(), 1, 'string_type'],
  [text({ min: 1 }), '', 'string_too_short'],
  [text({ max: 2 }), '😀😀😀', 'string_too_long'],
  [text({ pattern: /^a$/ }), 'b', 'string_pattern_mismatch'],
  [text(), 'a\0', 'value_error'],
  [text(), '\ud800', 'value_error'],
  [textOrNumber(), true, 'string_type'],
  [textOrNumber(), 2 ** 53, 'value_error'],
  [textOrNumber(), Number.POSITIVE_INFINITY, 'value_error'],
  [z.array(int()).min(1), [], 'too_short'],
  [z.array(int()).max(1), [1, 2], 'too_long'],
  [z.array(int()), 'x', 'list_type'],
  [z.enum(['a', 'b']), 'c', 'enum'],
  [z.literal('a'), 'c', 'literal_error'],
  [z.object({}), 'text', 'model_attributes_type'],
])('%# %o is refused as %s', (schema, input, type) => {
  expect(problems(schema, input)).toEqual([[type, 'body']])
})

const shape = tagged('type', [
  z.object({ type: z.literal('circle'), size: z.object({ r: int() }) }),
  z.object({ type: z.literal('named'), name: text({ min: 1 }) }).transform((value) => value),
])
const wrap = z.object({ items: z.array(z.object({ shape: shape.nullish() })) })

test('a tagged union puts its tag into the path', () => {
  const input = { items: [{ shape: { type: 'circle', size: {} } }, { shape: { type: 'named', name: '' } }, {}, { shape: null }] }
  expect(problems(wrap, input)).toEqual([
    ['missing', 'body', 'items', 0, 'shape', 'circle', 'size', 'r'],
    ['string_too_short', 'body', 'items', 1, 'shape', 'named', 'name'],
  ])
  expect(problems(wrap, { items: [{ shape: {} }, { shape: { type: 'x' } }, { shape: { type: 1 } }, { shape: 'x' }] })).toEqual([
    ['union_tag_not_found', 'body', 'items', 0, 'shape'],
    ['union_tag_invalid', 'body', 'items', 1, 'shape'],
    ['union_tag_invalid', 'body', 'items', 2, 'shape'],
    ['model_attributes_type', 'body', 'items', 3, 'shape'],
  ])
})

test('an absent body, key, list or member is missing', () => {
  expect(problems(z.object({}), undefined)).toEqual([['missing', 'body']])
  expect(problems(z.object({ a: text(), b: z.enum(['x']), c: z.array(int()), d: shape }), {})).toEqual([
    ['missing', 'body', 'a'],
    ['missing', 'body', 'b'],
    ['missing', 'body', 'c'],
    ['missing', 'body', 'd'],
  ])
})

test('a patch keeps absent keys absent and refuses null for keys that cannot be cleared', () => {
  const schema = patch({ title: text(), on: bool() }, { note: text() })
  expect(schema.parse({ extra: 1 })).toEqual({})
  expect(schema.parse({ note: null, title: 'a' })).toEqual({ note: null, title: 'a' })
  const result = schema.safeParse({ title: null, on: null })
  expect(toProblems(result.error!, 'body', {})).toEqual([
    { type: 'value_error', loc: ['body'], msg: 'Value error, The following keys must have non-null values: title, on' },
  ])
})

test('scalars describe themselves in JSON Schema', () => {
  expect(
    z.toJSONSchema(z.object({ a: int({ ge: 1 }), b: text({ max: 3 }).nullable(), s: shape }), { io: 'input' }),
  ).toMatchObject({
    properties: { a: { type: 'integer', minimum: 1 }, b: { anyOf: [{ type: 'string', maxLength: 3 }, { type: 'null' }] } },
    required: ['a', 'b', 's'],
  })
})
