/** The typed form of the annotation page's query parameters. `annotation-search.ts` reads and prints them. */
export type RecordFilterStatus = 'pending' | 'draft' | 'submitted' | 'discarded'
export type Order = 'asc' | 'desc'

/** Focus view: the 1-based number of a record. Bulk view: the 1-based number of the page's first record, and the page size. */
export type Page =
  | { readonly mode: 'focus'; readonly number: number }
  | { readonly mode: 'bulk'; readonly start: number; readonly size: number }

export type Terms = { readonly kind: 'terms'; readonly values: readonly string[]; readonly all: boolean }
export type Range = { readonly kind: 'range'; readonly ge?: number; readonly le?: number }
export type Condition = Terms | Range

/** A condition on `name`, a metadata property or question. */
export type NamedCondition = { readonly name: string; readonly condition: Condition }
export type SuggestionCondition = NamedCondition & { readonly property: 'value' | 'score' | 'agent' }

export type SortKey = {
  readonly entity: 'record' | 'metadata' | 'suggestion' | 'response'
  readonly name: string
  readonly property: 'score' | 'value' | null
  readonly order: Order
}

export type Similarity = {
  readonly recordId: string
  readonly vector: string
  readonly limit: number
  readonly order: 'most' | 'least'
}

export type TextSearch = {
  readonly text: string
  /** The field to search in, or null for all fields. */
  readonly field: string | null
}

export type AnnotationQuery = {
  readonly page: Page
  readonly status: RecordFilterStatus
  readonly search: TextSearch | null
  readonly metadata: readonly NamedCondition[]
  readonly response: readonly NamedCondition[]
  readonly suggestion: readonly SuggestionCondition[]
  readonly sort: readonly SortKey[]
  readonly similarity: Similarity | null
}

export const emptyQuery: AnnotationQuery = {
  page: { mode: 'focus', number: 1 },
  status: 'pending',
  search: null,
  metadata: [],
  response: [],
  suggestion: [],
  sort: [],
  similarity: null,
}
