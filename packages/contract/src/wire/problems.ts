import type { z } from 'zod'
import type { ValidationProblem } from './errors.ts'
import { message, type Reason } from './message.ts'
import { renderMessage } from './render-message.ts'
import { shouldBeOneOf } from './scalars.ts'
import { tagOf } from './tagged.ts'

export type Where = 'body' | 'query' | 'path'
type Issue = z.core.$ZodIssue
type Named = { readonly type: string; readonly reason: Reason }

const isMissing = Symbol('absent')

/** The part of the input at `path`. Path parts that name the tag of a union are skipped. */
const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown => {
  let value = input
  for (const part of path) {
    if (typeof part === 'symbol') continue
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return isMissing
    value = Reflect.get(value, part)
  }
  return value === undefined ? isMissing : value
}

const messageByType: { readonly [expected: string]: Named } = {
  object: { type: 'model_attributes_type', reason: 'Input should be a valid dictionary or object to extract fields from' },
  record: { type: 'dict_type', reason: message('notDictionary') },
  array: { type: 'list_type', reason: message('notList') },
  string: { type: 'string_type', reason: message('notString') },
}

const size = (word: 'least' | 'most', limit: number | bigint): Named => ({
  type: word === 'least' ? 'too_short' : 'too_long',
  reason: `List should have at ${word} ${limit} ${limit === 1 ? 'item' : 'items'}`,
})

const oneOf = (values: readonly unknown[]): Named => ({
  type: values.length === 1 ? 'literal_error' : 'enum',
  reason: shouldBeOneOf(values),
})

const problemFor = (issue: Issue): Named => {
  if (issue.code === 'custom') {
    const { type = 'value_error', reason = issue.message } = (issue.params ?? {}) as Partial<Named>
    return { type, reason }
  }
  if (issue.code === 'invalid_type') return messageByType[issue.expected] ?? { type: 'value_error', reason: issue.message }
  if (issue.code === 'invalid_value') return oneOf(issue.values)
  if (issue.code === 'too_small') return size('least', issue.minimum)
  if (issue.code === 'too_big') return size('most', issue.maximum)
  if (issue.code === 'invalid_format') return { type: 'string_pattern_mismatch', reason: issue.message }
  return { type: 'value_error', reason: message('valueFault', {}, issue.message) }
}

const missing: Named = { type: 'missing', reason: message('required') }
const isAboutPresence = (issue: Issue) => issue.code === 'invalid_type' || issue.code === 'invalid_value'

/** A validation problem whose message has not been rendered as text yet. */
export type InputFault = Pick<ValidationProblem, 'type' | 'loc'> & { readonly reason: Reason }

/**
 * Converts the issues of a schema into faults.
 * @param where the part of the request that was parsed; the first element of every `loc`
 * @param input the parsed value, used to distinguish missing keys from invalid ones
 */
export const toInputFaults = (
  error: { readonly issues: readonly Issue[] },
  where: Where,
  input: unknown,
): readonly InputFault[] =>
  error.issues.map((issue) => {
    const { type, reason } = isAboutPresence(issue) && valueAt(input, issue.path) === isMissing ? missing : problemFor(issue)
    return { type, loc: [where, ...issue.path.map((part) => (typeof part === 'symbol' ? tagOf(part) : part))], reason }
  })

/**
 * Converts the issues of a schema into the problems of a validation error body (422). Has the same parameters as `toInputFaults`.
 */
export const toProblems = (...args: Parameters<typeof toInputFaults>): readonly ValidationProblem[] =>
  toInputFaults(...args).map(({ type, loc, reason }) => ({ type, loc, msg: renderMessage(reason) }))
