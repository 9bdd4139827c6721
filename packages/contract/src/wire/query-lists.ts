import { unprocessable } from './errors.ts'
import { maxIdsInQuery } from './limits.ts'
import { Fault, notString, scalar } from './scalar.ts'
import { parseUuid } from './scalars.ts'

/** The values of a query parameter that may be repeated. */
const asList = (value: unknown): readonly string[] | Fault => {
  const list = Array.isArray(value) ? value : [value]
  return list.every((item) => typeof item === 'string') ? list : notString()
}

/**
 * Parses 1 to 100 comma-separated uuids and removes duplicates. Handlers call it only after they have checked that the dataset
 * exists and that the caller may access it.
 * @throws Problem for anything else. As in Argilla's API, the response contains one sentence instead of a list of problems
 */
export const parseIds = (text: string): readonly string[] => {
  const parts = text.split(',')
  if (parts.length > maxIdsInQuery)
    throw unprocessable(`Cannot take more than ${maxIdsInQuery} ids at once, found ${parts.length}`)
  const ids = parts.map((part) => {
    const id = parseUuid(part)
    if (id === null) throw unprocessable(`\`${part}\` is not a valid UUID: expected ids separated by commas`)
    return id
  })
  return [...new Set(ids)]
}

/** The ids as text. The handler parses them with `parseIds`. */
export const idsQuery = () =>
  scalar<string>({ type: 'string', description: 'Comma-separated uuids' }, (value) => {
    const list = asList(value)
    return list instanceof Fault ? list : list.join(',')
  })

/**
 * What to include with each record. `vectors` can also be a list of names. Then only the vectors with these names are included.
 */
export type Include = {
  readonly responses: boolean
  readonly suggestions: boolean
  readonly vectors: 'none' | 'all' | readonly string[]
  readonly agreement: boolean
  readonly gold: boolean
  /** Only for downloads. */
  readonly comments?: boolean
  /** Only for downloads. */
  readonly tests?: boolean
}
export const includeNothing: Include = { responses: false, suggestions: false, vectors: 'none', agreement: false, gold: false }
/** Everything that Argilla's API can include. Argilla has no agreement and no final answers. */
export const includeAll: Include = { responses: true, suggestions: true, vectors: 'all', agreement: false, gold: false }

const includeKeys: readonly string[] = ['responses', 'suggestions', 'vectors', 'agreement', 'gold']
const knownKey = (key: string): string => {
  if (includeKeys.includes(key)) return key
  throw unprocessable(`\`${key}\` cannot be included: expected one of ${includeKeys.join(', ')}`)
}

/**
 * Parses the values of `include`. Each value is a comma-separated list of keys, or `vectors` with the names of vectors
 * (`vectors:a,b`). If another key has names, for example `responses:a`, the value is ignored.
 * @throws Problem for unknown keys and for invalid combinations
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
    agreement: plain.has('agreement'),
    gold: plain.has('gold'),
  }
}

/** The `include` parameter of lists and searches. By default nothing is included. */
export const includeQuery = () =>
  scalar<Include, string | readonly string[]>({ type: 'array', items: { type: 'string' } }, (value) => {
    const list = asList(value)
    return list instanceof Fault ? list : parseInclude(list)
  }).default(includeNothing)
