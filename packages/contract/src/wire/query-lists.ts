import { unprocessable } from './errors.ts'
import { maxIdsInQuery } from './limits.ts'
import { Fault, scalar } from './scalar.ts'
import { parseUuid } from './scalars.ts'

/** What a query parameter that may be repeated arrives as. */
const asList = (value: unknown): readonly string[] | Fault => {
  const list = Array.isArray(value) ? value : [value]
  return list.every((item) => typeof item === 'string') ? list : new Fault('string_type', 'Input should be a valid string')
}

/**
 * 1 to 100 comma-separated uuids, repeats removed. This is a rule of the business: it is asked after existence and permission.
 * @throws Problem for anything else: the wire answers one sentence here, not a list of problems
 */
export const parseIds = (text: string): readonly string[] => {
  const parts = text.split(',').map((part) => part.trim())
  if (parts.length > maxIdsInQuery)
    throw unprocessable(`Cannot take more than ${maxIdsInQuery} ids at once, found ${parts.length}`)
  const ids = parts.map((part) => {
    const id = parseUuid(part)
    if (id === null) throw unprocessable(`\`${part}\` is not a valid UUID: expected ids separated by commas`)
    return id
  })
  return [...new Set(ids)]
}

/** The text of the ids, for `parseIds` when their turn comes. */
export const idsQuery = () =>
  scalar<string>({ type: 'string', description: 'uuids separated by commas' }, (value) => {
    const list = asList(value)
    return list instanceof Fault ? list : list.join(',')
  })

/** What a list of records carries beside the records; vectors are all of them or those of some settings by name. */
export type Include = {
  readonly responses: boolean
  readonly suggestions: boolean
  readonly vectors: 'none' | 'all' | readonly string[]
}
export const includeNothing: Include = { responses: false, suggestions: false, vectors: 'none' }
export const includeAll: Include = { responses: true, suggestions: true, vectors: 'all' }

const includeKeys: readonly string[] = ['responses', 'suggestions', 'vectors']
const knownKey = (key: string): string => {
  if (includeKeys.includes(key)) return key
  throw unprocessable(`\`${key}\` cannot be included: expected one of ${includeKeys.join(', ')}`)
}

/**
 * Reads the values of `include`: each is a list of keys, or one key with names (`vectors:a,b`).
 * @throws Problem when one is neither
 */
export const parseInclude = (values: readonly string[]): Include => {
  const plain = new Set<string>()
  const names: string[] = []
  for (const value of values) {
    const [key = '', ...rest] = value.split(':')
    if (rest.length === 0) for (const part of value.split(',')) plain.add(knownKey(part.trim()))
    else if (key.includes(',')) throw unprocessable(`\`${value}\` mixes keys and names: send \`vectors:name1,name2\` on its own`)
    else if (knownKey(key.trim()) === 'vectors') names.push(...rest.join(':').split(','))
  }
  if (plain.has('vectors') && names.length > 0) throw unprocessable('Include either `vectors` or `vectors:name1,name2`, not both')
  const some = names.length > 0 ? names : 'none'
  return {
    responses: plain.has('responses'),
    suggestions: plain.has('suggestions'),
    vectors: plain.has('vectors') ? 'all' : some,
  }
}

/** The `include` parameter of lists and searches; absent means nothing. */
export const includeQuery = () =>
  scalar<Include, string | readonly string[]>({ type: 'array', items: { type: 'string' } }, (value) => {
    const list = asList(value)
    return list instanceof Fault ? list : parseInclude(list)
  }).default(includeNothing)
