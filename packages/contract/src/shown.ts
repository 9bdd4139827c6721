import type { Shown as Orders } from './comparison-sides.ts'
import { isAtMost } from './wire/code-points.ts'
import { isJsonObject, textFault } from './wire/json.ts'
import { Fault, notDictionary, notString, scalar, valueError } from './wire/scalar.ts'

const maxLength = 200

const toName = (value: unknown, path: readonly (string | number)[]): string | Fault => {
  if (typeof value !== 'string') return notString(path)
  if (value === '') return new Fault('string_too_short', 'String should have at least 1 character', path)
  if (!isAtMost(value, maxLength)) return new Fault('string_too_long', `String should have at most ${maxLength} characters`, path)
  const fault = textFault(value)
  return fault === null ? value : valueError(fault, path)
}

const toSides = (value: unknown, question: string): Orders[string] | Fault => {
  if (!Array.isArray(value)) return new Fault('list_type', 'Input should be a valid list', [question])
  if (value.length !== 2) return valueError('List should have exactly 2 items', [question])
  const [first, second] = value.map((name: unknown, at) => toName(name, [question, at]))
  if (first === undefined || first instanceof Fault) return first ?? notString([question, 0])
  return second === undefined || second instanceof Fault ? (second ?? notString([question, 1])) : [first, second]
}

/** The compared fields by question name, in the order in which the author of an answer saw them. */
export const Shown = scalar<Orders>(
  {
    type: 'object',
    additionalProperties: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength },
      minItems: 2,
      maxItems: 2,
    },
  },
  (value) => {
    if (!isJsonObject(value)) return notDictionary()
    const entries: [string, Orders[string]][] = []
    for (const [name, order] of Object.entries(value)) {
      const checked = toName(name, [name, '[key]'])
      if (checked instanceof Fault) return checked
      const sides = toSides(order, name)
      if (sides instanceof Fault) return sides
      entries.push([name, sides])
    }
    return Object.fromEntries(entries)
  },
)
