import type { Sent } from '../send.ts'
import type { Stage } from '../stage.ts'

export type Part = string | number
/** What a key of a body takes; everything that the wire says of it is generated from here. */
export type Rule = {
  /** Where in the body. */
  readonly at: readonly Part[]
  readonly presence: 'required' | 'optional' | 'unchecked'
  /** `yes`: null is a value; `patch`: null is one problem at the object around it; `no`: it is of a wrong type. */
  readonly nullable: 'yes' | 'patch' | 'no' | 'unchecked'
  /** E-VAL type of a null where null is no value. */
  readonly nullType: string
  /** Wrong values with their E-VAL type, and where inside the value. */
  readonly refused: readonly (readonly [value: unknown, type: string, ...inside: Part[]])[]
  /** Good values and what is read back; left out: the same. */
  readonly accepted: readonly (readonly [sent: unknown, readBack?: unknown])[]
  /** The answer does not have the key, or has it elsewhere. */
  readonly writeOnly?: true
}

/** A route with a body: a request that succeeds, and the rules of the body's keys. */
export type Form = {
  readonly id: string
  /** Names the form where a route has several. */
  readonly what?: string
  /** Made anew for each request that is to succeed. */
  readonly good: (stage: Stage) => Sent | Promise<Sent>
  readonly rules: readonly Rule[]
  /** Objects that are one of several by a tag: the path to the object, joined by dots, with the tag's key. */
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
/** What becomes of absence and null is not the schema's matter. */
export const unchecked = { presence: 'unchecked', nullable: 'unchecked' } as const

/** Makes something once for each stage. */
export const once = <T>(make: (stage: Stage) => Promise<T>) => {
  const made = new WeakMap<Stage, Promise<T>>()
  return (stage: Stage): Promise<T> => {
    const known = made.get(stage) ?? make(stage)
    made.set(stage, known)
    return known
  }
}

let count = 0
/** A text of so many code points, all of them beyond the 16 bits of a UTF-16 unit, unlike any other. */
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

/** All that stands for a bool: asked of one key, as every bool is read by the same rule. */
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

/** Free JSON under a key: any object that can be kept exactly. */
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

/** An object of known keys. */
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
  /** What is read back of an item. */
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

/** A key whose object is chosen by a tag. */
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

/** Values of no pattern of the above. */
export const values = rule(
  (nullType: string, refused: Check['refused'], accepted: Check['accepted'] = []): Check => ({ nullType, refused, accepted }),
)
