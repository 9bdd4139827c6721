import { EXAMPLE_TIME, EXAMPLE_VALUES, EXAMPLES_OF_KINDS } from '@postil/contract/examples/values.ts'

type Json = { readonly [key: string]: unknown }

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const typesOf = ({ type }: Json): readonly string[] => (Array.isArray(type) ? type : typeof type === 'string' ? [type] : [])

const kindOf = (value: unknown): readonly string[] => {
  if (value === null) return ['null']
  if (Array.isArray(value)) return ['array']
  if (typeof value === 'number') return Number.isInteger(value) ? ['integer', 'number'] : ['number']
  return [typeof value]
}

/** Whether each value of a dictionary has all the keys that the schema requires. */
const entriesSuit = (value: Json, { additionalProperties }: Json): boolean => {
  const required = isObject(additionalProperties) ? additionalProperties['required'] : undefined
  if (!Array.isArray(required)) return true
  return Object.values(value).every((one) => isObject(one) && required.every((key) => Object.hasOwn(one, key)))
}

/**
 * Whether an example value fits the schema. False if the schema defines properties, because `exampleOf` builds such objects from
 * their properties instead.
 */
const suits = (value: unknown, schema: Json): boolean => {
  const types = typesOf(schema)
  if (types.length > 0 && !kindOf(value).some((kind) => types.includes(kind))) return false
  if (typeof value === 'string' && typeof schema['pattern'] === 'string') return new RegExp(schema['pattern'], 'u').test(value)
  if (typeof value === 'string' && schema['format'] === 'uuid') return /^[0-9a-f-]{36}$/.test(value)
  if (Array.isArray(value)) return isObject(schema['items']) && value.every((one) => suits(one, schema['items'] as Json))
  return !isObject(schema['properties']) && (!isObject(value) || entriesSuit(value, schema))
}

const FALLBACKS: { readonly [type: string]: unknown } = {
  string: 'text',
  integer: 1,
  number: 0.5,
  boolean: true,
  object: {},
  null: null,
}

const ofObject = (schema: Json): unknown =>
  Object.fromEntries(
    Object.entries((schema['properties'] ?? {}) as { readonly [name: string]: Json }).map(([name, inner]) => [
      name,
      exampleOf(inner, name),
    ]),
  )

/** A value that the schema accepts: the example value for its key, or a simple value of its type. */
export const exampleOf = (schema: Json, name = ''): unknown => {
  if ('const' in schema) return schema['const']
  const choices = schema['enum']
  if (Array.isArray(choices)) return choices[0]
  const variants = (schema['anyOf'] ?? schema['oneOf']) as readonly Json[] | undefined
  if (variants) return exampleOf(variants.find((one) => !typesOf(one).includes('null')) ?? variants[0] ?? {}, name)
  const parts = schema['allOf'] as readonly Json[] | undefined
  if (parts) return Object.assign({}, ...parts.map((part) => exampleOf(part, name)))
  const known = (EXAMPLE_VALUES[name] ?? []).find((value) => suits(value, schema))
  if (known !== undefined) return known
  const types = typesOf(schema)
  if (types.includes('array')) {
    const length = Math.max(1, Number(schema['minItems'] ?? 1))
    return Array.from({ length }, () => exampleOf((schema['items'] ?? {}) as Json, name))
  }
  if (types.includes('object')) return ofObject(schema)
  const format = schema['format'] as keyof typeof EXAMPLES_OF_KINDS | undefined
  const kinds = [format === undefined ? undefined : EXAMPLES_OF_KINDS[format], EXAMPLE_TIME, EXAMPLES_OF_KINDS.uuid]
  if (types.includes('string') && (format !== undefined || schema['pattern'] !== undefined)) {
    const found = kinds.find((value) => value !== undefined && suits(value, schema))
    if (found !== undefined) return found
  }
  return FALLBACKS[types[0] ?? 'string']
}
