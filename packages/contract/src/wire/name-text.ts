import { isAtMost } from './code-points.ts'
import { textFault } from './json.ts'
import { Fault, notString, valueError } from './scalar.ts'

/** The maximum length of the name of a field, a question or a metadata property, in code points. */
export const maxNameLength = 200

/** Returns the value if it is a valid name, otherwise the fault. */
export const nameText = (value: unknown, path: readonly (string | number)[]): string | Fault => {
  if (typeof value !== 'string') return notString(path)
  if (value === '') return new Fault('string_too_short', 'String should have at least 1 character', path)
  if (!isAtMost(value, maxNameLength))
    return new Fault('string_too_long', `String should have at most ${maxNameLength} characters`, path)
  const fault = textFault(value)
  return fault === null ? value : valueError(fault, path)
}
