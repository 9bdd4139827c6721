import type { MetadataPropertyRow, QuestionRow } from '#features/schema/public.ts'
import type { RecordStatus, ResponseStatus } from '#platform/db/tables.ts'

/** Where to read the full text of a value. If a text is long, its index row contains only the beginning. */
export type Origin =
  | { readonly in: 'metadata'; readonly property: MetadataPropertyRow }
  | { readonly in: 'suggestion'; readonly question: QuestionRow }
  | { readonly in: 'answer'; readonly question: QuestionRow }

/** The values by which records are filtered or sorted. They are stored in the rows of an index table that have this `key`. */
export type Values = {
  readonly table: 'record' | 'response' | 'agreement'
  readonly key: number
  readonly kind: 'terms' | 'numbers'
  /** The user whose answers are considered; null for all users' answers and for values that aren't part of answers. */
  readonly user: string | null
  /**
   * Only answers with this status are considered. Undefined if the status doesn't matter or the values aren't part of answers.
   */
  readonly status?: ResponseStatus
  readonly origin: Origin
}

/** Inclusive lower and upper bounds. Null means unbounded. */
export type Bounds<T> = { readonly ge: T | null; readonly le: T | null }

/**
 * How the submitted answers to a question relate to each other or to its suggestion. `single`: there is only one answer.
 * `any_same`: at least one answer equals the suggestion.
 */
export type ComparisonResult = 'same' | 'different' | 'single' | 'any_same'
export type Comparison = {
  readonly kind: 'comparison'
  readonly with: 'answers' | 'suggestion'
  /** The users whose answers are compared; null for all users. */
  readonly users: readonly string[] | null
  /** The agent of the suggestions, or an empty string for suggestions without an agent; null for all suggestions. */
  readonly agent: string | null
  readonly questions: readonly { readonly name: string; readonly no: number }[]
  readonly results: readonly ComparisonResult[]
}

/** One condition on a record. A search is the intersection of its conditions. */
export type Atom =
  | { readonly kind: 'terms'; readonly values: Values; readonly terms: readonly string[] }
  | { readonly kind: 'term_range'; readonly values: Values; readonly bounds: Bounds<string> }
  | { readonly kind: 'numbers'; readonly values: Values; readonly numbers: readonly number[] }
  | { readonly kind: 'number_range'; readonly values: Values; readonly bounds: Bounds<number> }
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  | { readonly kind: 'id_range'; readonly bounds: Bounds<string> }
  | { readonly kind: 'external_ids'; readonly ids: readonly string[] }
  | { readonly kind: 'external_id_range'; readonly bounds: Bounds<string> }
  | { readonly kind: 'times'; readonly column: 'inserted_at' | 'updated_at'; readonly spans: readonly Bounds<number>[] }
  | { readonly kind: 'status'; readonly statuses: readonly RecordStatus[] }
  /** `pending` means no answer. */
  | { readonly kind: 'answers'; readonly user: string | null; readonly statuses: readonly string[] }
  /** Answers that changed within these times. */
  | {
      readonly kind: 'answer_times'
      readonly user: string | null
      readonly status: ResponseStatus | null
      readonly bounds: Bounds<number>
    }
  /** Answers in which one of the options is chosen, for questions whose values are not indexed. */
  | {
      readonly kind: 'chosen'
      readonly user: string | null
      readonly status: ResponseStatus
      readonly question: QuestionRow
      readonly options: readonly string[]
    }
  | Comparison
  | { readonly kind: 'text'; readonly q: string; readonly field: number | null }
  /** Records that are assigned to one of the users or, with `nobody`, to nobody. `negated`: all other records. */
  | {
      readonly kind: 'assigned'
      readonly users: readonly string[]
      readonly nobody: boolean
      readonly negated: boolean
    }
  | { readonly kind: 'review'; readonly statuses: readonly ('none' | 'started' | 'final' | 'stale')[] }
  /** Records whose review is finished and whose final answer is, or contains, one of `answers`. */
  | { readonly kind: 'final_answer'; readonly question: QuestionRow; readonly answers: readonly string[] }
  /** Records with open comments. */
  | { readonly kind: 'commented' }
  | { readonly kind: 'vectors'; readonly setting: number }
  | { readonly kind: 'nothing' }

export type AtomOf<K extends Atom['kind']> = Extract<Atom, { kind: K }>

/** A sort key, which doesn't filter the results. */
export type SortKey = { readonly descending: boolean } & (
  | { readonly by: 'values'; readonly values: Values }
  | { readonly by: 'column'; readonly column: 'id' | 'external_id' | 'inserted_at' | 'updated_at' | 'status' }
)

const volatileKinds: ReadonlySet<Atom['kind']> = new Set([
  'status',
  'answers',
  'answer_times',
  'chosen',
  'comparison',
  'review',
  'final_answer',
  'commented',
])

/**
 * Whether answers can change the condition's result. The results of all other conditions change only when record content changes,
 * so they are worth caching.
 */
export const isVolatile = (atom: Atom): boolean => {
  if (volatileKinds.has(atom.kind)) return true
  if (atom.kind === 'times') return atom.column === 'updated_at'
  return 'values' in atom && atom.values.table !== 'record'
}

export const isVolatileSort = (key: SortKey): boolean =>
  key.by === 'values' ? key.values.table !== 'record' : key.column === 'updated_at' || key.column === 'status'

/**
 * Returns the same key for conditions with the same meaning. Leaves out `origin`, because it always follows from `Values.key`.
 */
export const keyOf = (what: Atom | SortKey): string =>
  JSON.stringify(what, (name, value: unknown) => (name === 'origin' ? undefined : value))
