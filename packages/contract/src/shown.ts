import type { Shown as Orders } from './comparison-sides.ts'
import { isJsonObject } from './wire/json.ts'
import { maxNameLength, nameText } from './wire/name-text.ts'
import { Fault, notDictionary, scalar, valueError } from './wire/scalar.ts'

const toSides = (value: unknown, question: string): Orders[string] | Fault => {
  if (!Array.isArray(value)) return new Fault('list_type', 'Input should be a valid list', [question])
  if (value.length !== 2) return valueError('List should have exactly 2 items', [question])
  const [first, second] = [nameText(value[0], [question, 0]), nameText(value[1], [question, 1])]
  if (first instanceof Fault) return first
  return second instanceof Fault ? second : [first, second]
}

/** For each comparison question, by name: the two compared fields, in the order in which the author of the answer saw them. */
export const Shown = scalar<Orders>(
  {
    type: 'object',
    additionalProperties: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: maxNameLength },
      minItems: 2,
      maxItems: 2,
    },
  },
  (value) => {
    if (!isJsonObject(value)) return notDictionary()
    const entries: [string, Orders[string]][] = []
    for (const [name, order] of Object.entries(value)) {
      const checked = nameText(name, [name, '[key]'])
      if (checked instanceof Fault) return checked
      const sides = toSides(order, name)
      if (sides instanceof Fault) return sides
      entries.push([name, sides])
    }
    return Object.fromEntries(entries)
  },
)
