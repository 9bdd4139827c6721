import type { Filter, Order, Scope } from '@postil/contract/search.ts'
import fc from 'fast-check'

/** A dataset with every kind of field, question, property and vector, and possible values for them. */
const option = (value: string) => ({ value, text: value })
const question = (name: string, settings: object) => ({ name, title: name, required: name === 'label', settings })
const long = (end: string) => `${'é'.repeat(100)}${'x'.repeat(40)}${end}`

export const shape = {
  fields: [
    { name: 'title', settings: { type: 'text' } },
    { name: 'body', required: true, settings: { type: 'text' } },
    { name: 'talk', settings: { type: 'chat' } },
    { name: 'extra', settings: { type: 'custom', template: '' } },
    { name: 'picture', settings: { type: 'image' } },
    { name: 'last', settings: { type: 'text' } },
  ],
  questions: [
    question('label', { type: 'label_selection', options: ['a', 'b', 'C'].map(option) }),
    question('many', { type: 'multi_label_selection', options: ['a', 'b', 'c d'].map(option) }),
    question('stars', { type: 'rating', options: [1, 2, 3, 5].map((value) => ({ value })) }),
    question('words', { type: 'text' }),
    question('order', { type: 'ranking', options: ['x', 'y'].map(option) }),
    question('spans', { type: 'span', field: 'body', options: ['p'].map(option) }),
  ],
  metadata_properties: [
    { name: 'lang', settings: { type: 'terms' } },
    { name: 'size', settings: { type: 'integer' } },
    { name: 'ratio', settings: { type: 'float' } },
    { name: 'hidden', settings: { type: 'terms' }, visible_for_annotators: false },
  ],
  vectors_settings: [{ name: 'v', dimensions: 3 }],
} as const

const word = fc.constantFrom(
  ...['alpha', 'beta', 'gamma', 'Alpha', 'béta', 'don’t', '3.14', '漢字', 'x'],
  ...['alpha-beta', '#beta', 'x@gamma.x', 'İx', 'ix', '*️⃣', '漢\ufeff字'],
)
const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '))
const term = fc.constantFrom('en', 'EN', 'de', 'é', '\u{10ffff}', '\uffff', '', long('a'), long('b'), long('a').slice(0, -1))
const number = fc.constantFrom(-3, 0, 1, 2, 10)
const float = fc.constantFrom(-1.5, 0, 0.1, 1, 1e10)
const label = fc.constantFrom('a', 'b', 'C')
const many = fc.uniqueArray(fc.constantFrom('a', 'b', 'c d'), { minLength: 1 })
const stars = fc.constantFrom(1, 2, 3, 5)
const score = fc.constantFrom(0, 0.25, 0.5, 1)
const agent = fc.option(fc.constantFrom('m1', 'm2', 'M 3'))
const type = fc.option(fc.constantFrom('model', 'human'))

const optional = <T>(values: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(values, { requiredKeys: [] })
const values = optional({
  label,
  many,
  stars,
  words: text,
  order: fc.constant([{ value: 'x', rank: 1 }]),
  spans: fc.constant([]),
})
const wrapped = values.map((given) => Object.fromEntries(Object.entries(given).map(([name, value]) => [name, { value }])))

export type Answer = { readonly user: number; readonly status: string; readonly values: object }
export const answers = fc.uniqueArray(
  fc.record({ user: fc.nat(2), status: fc.constantFrom('draft', 'discarded', 'submitted'), values: wrapped }),
  { maxLength: 3, selector: ({ user }) => user },
)

const chat = fc.array(fc.record({ role: fc.constantFrom('user', 'User', 'bot'), content: word }), { maxLength: 3 })
export const content = fc.record({
  fields: fc
    .record(
      { title: text, body: text, talk: chat, extra: fc.dictionary(word, text, { maxKeys: 2 }), last: text },
      { requiredKeys: ['body'] },
    )
    .map((fields) => ({ ...fields, picture: 'https://example.org/alpha.png' })),
  metadata: fc.option(
    optional({
      lang: fc.oneof(term, fc.uniqueArray(term, { maxLength: 3 })),
      size: number,
      ratio: float,
      hidden: term,
      more: term,
    }),
  ),
  vectors: fc.option(fc.record({ v: fc.tuple(number, number, fc.constant(1)) })).map((given) => given ?? {}),
})
const suggestion = fc.oneof(
  fc.record({ question: fc.constant('label'), value: label, agent, type, score: fc.option(score) }),
  fc
    .record({
      question: fc.constant('many'),
      agent,
      type,
      scored: fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c d'), score), { minLength: 1, maxLength: 3 }),
    })
    .map(({ scored, ...rest }) => {
      const unique = [...new Map(scored)]
      return { ...rest, value: unique.map(([value]) => value), score: unique.map(([, one]) => one) }
    }),
  fc.record({ question: fc.constant('stars'), value: stars, agent, type, score: fc.option(score) }),
  fc.record({ question: fc.constant('words'), value: text, agent, type, score: fc.option(score) }),
)
export const suggestions = fc.uniqueArray(suggestion, { maxLength: 3, selector: ({ question: name }) => name })
export const record = fc.record({ content, suggestions, answers, external: fc.boolean() })

const questionName = fc.constantFrom(...shape.questions.map(({ name }) => name))
const recordScope: fc.Arbitrary<Scope> = fc.record({
  entity: fc.constant('record' as const),
  property: fc.constantFrom('id', 'external_id', 'inserted_at', 'updated_at', 'status'),
})
/** Questions whose agreement the model can compute. */
const agreementScope: fc.Arbitrary<Scope> = fc.record({
  entity: fc.constant('record' as const),
  property: fc.constant('agreement' as const),
  question: fc.constantFrom('label', 'stars'),
})
const metadataScope = (names: readonly string[]): fc.Arbitrary<Scope> =>
  fc.record({ entity: fc.constant('metadata' as const), metadata_property: fc.constantFrom(...names) })
const suggestionScope: fc.Arbitrary<Scope> = fc.record({
  entity: fc.constant('suggestion' as const),
  question: questionName,
  property: fc.constantFrom('value', 'score', 'agent', 'type'),
})
const responseScope: fc.Arbitrary<Scope> = fc.record({ entity: fc.constant('response' as const), question: questionName })
const statusScope: Scope = { entity: 'response', property: 'status' }

const recordValues = (property: Extract<Scope, { entity: 'record' }>['property'], known: readonly string[]) => {
  if (property === 'agreement') return fc.constantFrom('0', '0.25', '0.5', '0.75', '1', '-1')
  if (property === 'status') return fc.constantFrom('pending', 'completed', 'other', 'd')
  if (property === 'inserted_at' || property === 'updated_at') {
    const times = known.filter((value) => value.includes('T'))
    return fc.constantFrom('2026', '1999-01', '1700000000000', ...times)
  }
  return fc.constantFrom('zzz', 'e1', 'e1é', '0', 'a\0', ...known.filter((value) => !value.includes('T')))
}

/** Generates values for a filter on a scope. `known` contains the IDs, external IDs and times of existing records. */
const valuesFor = (scope: Scope, known: readonly string[]): fc.Arbitrary<string> => {
  if (scope.entity === 'metadata') {
    return scope.metadata_property === 'size'
      ? number.map(String)
      : scope.metadata_property === 'ratio'
        ? float.map(String)
        : term
  }
  if (scope.entity === 'record') return recordValues(scope.property, known)
  if (scope.entity === 'suggestion' && scope.property === 'score') return score.map(String)
  if (scope.entity === 'suggestion' && scope.property === 'agent') return fc.constantFrom('m1', 'M 3', 'none')
  if (scope.entity === 'suggestion' && scope.property === 'type') return fc.constantFrom('model', 'human')
  const kind = shape.questions.find(({ name }) => name === scope.question)?.settings
  return kind && 'type' in kind && kind.type === 'rating' ? stars.map(String) : fc.constantFrom('a', 'b', 'C', 'c d', 'c')
}

const isNumeral = (value: string): boolean => value !== '' && !Number.isNaN(Number(value))

/** Whether the bounds are in the right order. Numbers and times are compared by value, strings by code point. */
const isBetween = (scope: Scope, ge: string, le: string): boolean => {
  const isOfTimes = scope.entity === 'record' && (scope.property === 'inserted_at' || scope.property === 'updated_at')
  if (isOfTimes) return ge === le || ge === '1999-01' || (ge.includes('T') && le.includes('T') && ge <= le)
  const isText = scope.entity === 'record' && scope.property !== 'agreement'
  if (!isText && isNumeral(ge) && isNumeral(le)) return Number(ge) <= Number(le)
  return Buffer.compare(Buffer.from(ge), Buffer.from(le)) <= 0
}

const filterOn = (scope: Scope, known: readonly string[]): fc.Arbitrary<Filter> => {
  const value = valuesFor(scope, known)
  const terms = fc.array(value, { minLength: 1, maxLength: 3 }).map((list): Filter => ({ type: 'terms', scope, values: list }))
  const one = fc
    .tuple(value, fc.boolean())
    .map(([bound, low]): Filter => (low ? { type: 'range', scope, ge: bound } : { type: 'range', scope, le: bound }))
  const both = fc
    .tuple(value, value)
    .filter(([ge, le]) => isBetween(scope, ge, le))
    .map(([ge, le]): Filter => ({ type: 'range', scope, ge, le }))
  return fc.oneof(terms, one, both)
}

const statusFilter: fc.Arbitrary<Filter> = fc
  .array(fc.constantFrom('pending', 'draft', 'submitted', 'discarded', 'other'), { minLength: 1, maxLength: 3 })
  .map((list) => ({ type: 'terms', scope: statusScope, values: list }))

const query = fc.oneof(
  fc.constantFrom(
    'alpha',
    'beta gamma',
    'alpha | beta',
    '-alpha',
    '"alpha beta"',
    '"beta alpha"~1',
    'alp*',
    'aplha~1',
    'x -beta',
    '*',
    '',
    'user',
    'User',
    'béta',
    'beta',
    '漢',
    '"漢字"',
    "don't",
    '3.14',
    'example',
    '(alpha | x) -"x beta"~2',
    '-(alpha beta)',
    'alpha-beta',
    '-alpha-be*',
    'x@*',
    '#bet* | alpha/b*',
    'alhpa-betta~',
    'ix',
    '漢字*',
    'e1',
    'id:e2',
    'id:"e3"',
    '-id:e2',
  ),
  fc
    .array(fc.oneof(word, fc.constantFrom('|', '-', '(', ')', '"', '+', '~1', '*')), { maxLength: 7 })
    .map((parts) => parts.join(' ')),
)
const textQuery = fc.record({
  q: query,
  field: fc.constantFrom(null, null, null, 'body', 'title', 'talk', 'extra', 'picture', 'last'),
})

const sortScope = ({ names, agreement }: Usable): fc.Arbitrary<Scope> =>
  fc.oneof(
    agreement ? fc.oneof(recordScope, agreementScope) : recordScope,
    metadataScope(names),
    suggestionScope.filter(
      (scope) =>
        scope.entity === 'suggestion' && (scope.property !== 'value' || ['label', 'many', 'stars'].includes(scope.question)),
    ),
    fc.constant<Scope>({ entity: 'response', question: 'stars' }),
  )

/** The metadata properties that the caller can see, and whether they can see agreement. */
type Usable = { readonly names: readonly string[]; readonly agreement: boolean }

export type Search = {
  readonly text: { readonly q: string; readonly field: string | null } | null
  readonly filters: readonly Filter[]
  readonly sort: readonly Order[]
  readonly page: { readonly offset: number; readonly limit: number }
}

/** Generates searches over a dataset with the `shape` above. */
export const searches = (known: readonly string[], usable: Usable): fc.Arbitrary<Search> => {
  const { names, agreement } = usable
  const filter = fc.oneof(
    { weight: 2, arbitrary: recordScope.chain((scope) => filterOn(scope, known)) },
    { weight: 2, arbitrary: metadataScope(names).chain((scope) => filterOn(scope, known)) },
    { weight: 2, arbitrary: suggestionScope.chain((scope) => filterOn(scope, known)) },
    { weight: 2, arbitrary: responseScope.chain((scope) => filterOn(scope, known)) },
    { weight: 2, arbitrary: statusFilter },
    { weight: agreement ? 2 : 0, arbitrary: agreementScope.chain((scope) => filterOn(scope, known)) },
  )
  const order = fc.record({ scope: sortScope(usable), order: fc.constantFrom('asc' as const, 'desc' as const) })
  return fc.record({
    text: fc.option(textQuery),
    filters: fc.array(filter, { maxLength: 2 }),
    sort: fc.oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(order, { minLength: 1, maxLength: 3 }) },
    ),
    page: fc.oneof(
      fc.constant({ offset: 0, limit: 1000 }),
      fc.record({ offset: fc.nat(20), limit: fc.integer({ min: 1, max: 8 }) }),
    ),
  })
}
