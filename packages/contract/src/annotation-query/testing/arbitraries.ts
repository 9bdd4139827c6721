import fc from 'fast-check'
import type { AnnotationQuery, Condition, NamedCondition, SortKey, SuggestionCondition } from '../grammar.ts'

/** Names and values as users might write them, including all separators used in URLs. */
const name = fc
  .oneof(
    fc.string({ minLength: 1, unit: 'grapheme' }),
    fc.string({
      minLength: 1,
      unit: fc.constantFrom('.', '~', '_', '!', '%', '2', 'E', ' ', 'g', 'e', 'a', 'é', '/', '&', '=', '+', '#'),
    }),
    fc.constantFrom(
      'ge5',
      'le-1',
      'GE5',
      'ge.5',
      'Operator',
      'operator',
      'all',
      'values',
      'score',
      '100%25',
      '!2E',
      'a!7Eb',
      '~',
      '.',
      '_',
      'v1.0_rc~2',
      '漢字',
      'مرحبا',
    ),
  )
  .map((text) => text.toWellFormed())
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
)
const terms: fc.Arbitrary<Condition> = fc.record({
  kind: fc.constant('terms' as const),
  values: fc.array(name, { minLength: 1, maxLength: 4 }),
  all: fc.boolean(),
})
const range: fc.Arbitrary<Condition> = fc
  .record({ kind: fc.constant('range' as const), ge: number, le: number }, { requiredKeys: ['kind'] })
  .filter(({ ge, le }) => ge !== undefined || le !== undefined)
const conditions: fc.Arbitrary<NamedCondition[]> = fc.array(fc.record({ name, condition: fc.oneof(terms, range) }), {
  maxLength: 3,
})
const suggestions: fc.Arbitrary<SuggestionCondition[]> = fc.array(
  fc.record({
    name,
    condition: fc.oneof(terms, range),
    property: fc.constantFrom('value' as const, 'score' as const, 'agent' as const),
  }),
  { maxLength: 3 },
)
const order = fc.constantFrom('asc' as const, 'desc' as const)
const sortKey: fc.Arbitrary<SortKey> = fc.oneof(
  fc.record({ entity: fc.constantFrom('record' as const, 'metadata' as const), name, property: fc.constant(null), order }),
  fc.record({
    entity: fc.constantFrom('suggestion' as const, 'response' as const),
    name,
    property: fc.constantFrom('score' as const, 'value' as const),
    order,
  }),
)
/** Any query of the annotation screen. */
export const queries: fc.Arbitrary<AnnotationQuery> = fc.record({
  page: fc.oneof(
    fc.record({ mode: fc.constant('focus' as const), number: fc.integer({ min: 1, max: 999_999 }) }),
    fc.record({
      mode: fc.constant('bulk' as const),
      start: fc.integer({ min: 1, max: 999_999 }),
      size: fc.integer({ min: 1, max: 1000 }),
    }),
  ),
  status: fc.constantFrom('pending' as const, 'draft' as const, 'submitted' as const, 'discarded' as const),
  search: fc.option(fc.record({ text: name.filter((text) => text.trim() !== ''), field: fc.option(name) })),
  metadata: conditions,
  response: conditions,
  suggestion: suggestions,
  sort: fc.array(sortKey, { maxLength: 3 }),
  similarity: fc.option(
    fc.record({
      recordId: fc.uuid(),
      vector: name,
      limit: fc.integer({ min: 1, max: 1000 }),
      order: fc.constantFrom('most' as const, 'least' as const),
    }),
  ),
})
