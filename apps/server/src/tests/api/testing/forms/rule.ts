import type { ApiFixture } from '../fixture.ts'
import type { Sent } from '../send.ts'

export type Part = string | number
/** The values that a key of a request body accepts. The tests generate all expectations about the key from this rule. */
export type Rule = {
  /** The key's path in the body. */
  readonly at: readonly Part[]
  readonly presence: 'required' | 'optional' | 'unchecked'
  /**
   * `yes`: null is a valid value. `patch`: null is invalid, and the server reports one problem for the enclosing object. `no`:
   * null is invalid, and the server reports a wrong type.
   */
  readonly nullable: 'yes' | 'patch' | 'no' | 'unchecked'
  /** The validation error type if null is not allowed. */
  readonly nullType: string
  /**
   * Invalid values. Each is listed with the type of its validation error and the error's path inside the value. `..` stands for
   * the enclosing object.
   */
  readonly refused: readonly (readonly [value: unknown, type: string, ...inside: Part[]])[]
  /** Valid values. Each is paired with the value that is read back, if that value differs from the one sent. */
  readonly accepted: readonly (readonly [sent: unknown, readBack?: unknown])[]
  /** Whether the response omits the key or contains it elsewhere. */
  readonly writeOnly?: true
}

/** A route with a body: a request that succeeds, and the rules for the body's keys. */
export type Form = {
  readonly id: string
  /** Distinguishes the forms of a route that has several. */
  readonly what?: string
  /** Called for each request that must succeed. */
  readonly good: (fixture: ApiFixture) => Sent | Promise<Sent>
  readonly rules: readonly Rule[]
  /**
   * For objects whose schema depends on one of their keys: this key, by the object's path. For example, `{ 'filters.and.0':
   * 'type' }` means that the `type` of the first filter determines which other keys it has.
   */
  readonly tags?: { readonly [path: string]: string }
}

type Options = {
  readonly presence?: Rule['presence']
  readonly nullable?: Rule['nullable']
  readonly writeOnly?: true
}
type Check = Pick<Rule, 'nullType' | 'refused' | 'accepted'>

const rule =
  <A extends readonly unknown[]>(check: (...args: A) => Check) =>
  (at: string, options: Options, ...args: A): Rule => ({
    at: at.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
    presence: 'optional',
    nullable: 'no',
    ...options,
    ...check(...args),
  })

export const required = { presence: 'required' } as const
export const optional = {} as const
export const nullable = { nullable: 'yes' } as const
export const patched = { nullable: 'patch' } as const
/** The tests don't check whether the key may be missing or null, because this doesn't depend only on the schema. */
export const unchecked = { presence: 'unchecked', nullable: 'unchecked' } as const

/** Creates a value once per fixture. */
export const once = <T>(make: (fixture: ApiFixture) => Promise<T>) => {
  const made = new WeakMap<ApiFixture, Promise<T>>()
  return (fixture: ApiFixture): Promise<T> => {
    const known = made.get(fixture) ?? make(fixture)
    made.set(fixture, known)
    return known
  }
}

let count = 0
/** A unique string with the given number of code points, each of which takes two UTF-16 units. */
export const textOf = (length: number): string =>
  length === 0 ? '' : String.fromCodePoint(0x20000 + count++) + '😀'.repeat(length - 1)

type Lengths = { readonly min?: number; readonly max?: number; readonly numbersToo?: true; readonly keep?: false }
export const text = rule(
  ({ min, max, numbersToo, keep }: Lengths): Check => ({
    nullType: 'string_type',
    refused: [
      [true, 'string_type'],
      [['a'], 'string_type'],
      [{}, 'string_type'],
      ...(numbersToo ? [] : [[7, 'string_type'] as const]),
      ...(min === undefined ? [] : [[textOf(min - 1), 'string_too_short'] as const]),
      ...(max === undefined ? [] : [[textOf(max + 1), 'string_too_long'] as const]),
      ...(keep === false
        ? []
        : ([
            [`${textOf(10)}\0`, 'value_error'],
            [`${textOf(10)}\ud83d`, 'value_error'],
            [`\ude00${textOf(10)}`, 'value_error'],
          ] as const)),
    ],
    accepted: [
      ...(min === undefined ? [] : [[textOf(min)] as const]),
      ...(max === undefined ? [] : [[textOf(max)] as const]),
      ...(numbersToo ? [[1.5 + count++, `${0.5 + count}`] as const] : []),
    ],
  }),
)

export const bool = rule(
  (): Check => ({
    nullType: 'bool_type',
    refused: [
      [2, 'bool_parsing'],
      ['maybe', 'bool_parsing'],
      ['', 'bool_parsing'],
      [[], 'bool_type'],
      [{}, 'bool_type'],
    ],
    accepted: [
      ...[true, 1, 'yes', 'ON', 'True', 't', 'y', '1'].map((value) => [value, true] as const),
      ...[false, 0, 'no', 'off', 'FALSE', 'f', 'n', '0'].map((value) => [value, false] as const),
    ],
  }),
)

/** All representations of a boolean. They are tested on one key, because the same rule parses every boolean. */
export const boolWords: Rule['accepted'] = [
  ...[true, 1, 'yes', 'ON', 'True', 't', 'y', '1'].map((value) => [value, true] as const),
  ...[false, 0, 'no', 'off', 'FALSE', 'f', 'n', '0'].map((value) => [value, false] as const),
]

type Bounds = { readonly ge?: number; readonly gt?: number; readonly le?: number; readonly good: number }
export const int = rule(
  ({ ge, gt, le, good }: Bounds): Check => ({
    nullType: 'int_type',
    refused: [
      [1.5, 'int_from_float'],
      ['three', 'int_parsing'],
      ['', 'int_parsing'],
      ['1e3', 'int_parsing'],
      ['0x10', 'int_parsing'],
      [[1], 'int_type'],
      [{}, 'int_type'],
      [2 ** 53, 'int_parsing_size'],
      ...(ge === undefined ? [] : [[ge - 1, 'greater_than_equal'] as const]),
      ...(gt === undefined ? [] : [[gt, 'greater_than'] as const]),
      ...(le === undefined ? [] : [[le + 1, 'less_than_equal'] as const]),
    ],
    accepted: [
      [good],
      [String(good), good],
      [` +${good} `, good],
      [`${good}.0`, good],
      ...(ge === undefined ? [] : [[ge] as const]),
      ...(le === undefined ? [] : [[le] as const]),
      ...((ge ?? 0) <= 1 && (gt ?? 0) < 1 ? [[true, 1] as const] : []),
    ],
  }),
)

type Numbers = { readonly ge?: number; readonly le?: number; readonly good: number }
export const float = rule(
  ({ ge, le, good }: Numbers): Check => ({
    nullType: 'float_type',
    refused: [
      ['x', 'float_parsing'],
      ['', 'float_parsing'],
      ['1,5', 'float_parsing'],
      ['NaN', 'float_parsing'],
      [{}, 'float_type'],
      ['1e999', 'finite_number'],
      ...(ge === undefined ? [] : [[ge - 0.001, 'greater_than_equal'] as const]),
      ...(le === undefined ? [] : [[le + 0.001, 'less_than_equal'] as const]),
    ],
    accepted: [
      [good],
      [String(good), good],
      ...(ge === undefined ? [] : [[ge] as const]),
      ...(le === undefined ? [] : [[le] as const]),
    ],
  }),
)

export const uuid = rule(
  (): Check => ({
    nullType: 'uuid_type',
    refused: [
      [7, 'uuid_type'],
      [{}, 'uuid_type'],
      ['', 'uuid_parsing'],
      ['not-an-id', 'uuid_parsing'],
      ['0000000000000000000000000000000g', 'uuid_parsing'],
    ],
    accepted: [],
  }),
)

export const oneOf = rule(
  (values: readonly string[], wrong: 'enum' | 'literal_error' = 'enum'): Check => ({
    nullType: wrong,
    refused: [
      ['nothing', wrong],
      [String(values[0]).toUpperCase(), wrong],
      [7, wrong],
      [[values[0]], wrong],
    ],
    accepted: values.map((value) => [value] as const),
  }),
)

/** Free-form JSON under a key: any object that can be stored exactly. */
export const dict = rule(
  (accepted: Check['accepted'] = []): Check => ({
    nullType: 'dict_type',
    refused: [
      [[], 'dict_type'],
      ['text', 'dict_type'],
      [7, 'dict_type'],
    ],
    accepted,
  }),
)

/** An object with known keys. */
export const object = rule(
  (): Check => ({
    nullType: 'model_attributes_type',
    refused: [
      [[], 'model_attributes_type'],
      ['text', 'model_attributes_type'],
      [7, 'model_attributes_type'],
    ],
    accepted: [],
  }),
)

type Items = {
  readonly min?: number
  readonly max?: number
  readonly item: (index: number) => unknown
  /** The item as it is read back. Defaults to `item`. */
  readonly shown?: (index: number) => unknown
}
export const list = rule(({ min, max, item, shown = item }: Items): Check => {
  const items = (length: number, make = item) => Array.from({ length }, (_, index) => make(index))
  return {
    nullType: 'list_type',
    refused: [
      [{}, 'list_type'],
      ['text', 'list_type'],
      [7, 'list_type'],
      ...(min === undefined ? [] : [[items(min - 1), 'too_short'] as const]),
      ...(max === undefined ? [] : [[items(max + 1), 'too_long'] as const]),
    ],
    accepted: [
      ...(min === undefined ? [] : [[items(min), items(min, shown)] as const]),
      ...(max === undefined ? [] : [[items(max), items(max, shown)] as const]),
    ],
  }
})

/** A key whose object can have one of several types. A tag in the object selects the type. */
export const union = rule(
  (tag: string): Check => ({
    nullType: 'model_attributes_type',
    refused: [
      [{}, 'union_tag_not_found'],
      [{ [tag]: 'nothing' }, 'union_tag_invalid'],
      [{ [tag]: 7 }, 'union_tag_invalid'],
      [[], 'model_attributes_type'],
      ['text', 'model_attributes_type'],
    ],
    accepted: [],
  }),
)

/** A rule for values that fit none of the patterns above. */
export const values = rule(
  (nullType: string, refused: Check['refused'], accepted: Check['accepted'] = []): Check => ({ nullType, refused, accepted }),
)
