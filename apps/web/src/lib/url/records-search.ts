/** The query of the records page. Keys without a value are left out. */
export type RecordsSearch = {
  readonly search?: string
  readonly status?: 'pending' | 'completed'
  /** The state of the review of the records. */
  readonly review?: 'none' | 'started' | 'final' | 'stale'
  /** `QUESTION~VALUE`: records with this final answer. */
  readonly final?: string
  /** Whether only records with open threads are listed. */
  readonly comments?: 'open'
  /** The ID of the person to whom the records are assigned, or `none`. */
  readonly assigned?: string
  /** The ID of the person whose answers are considered. Default: everyone. */
  readonly by?: string
  /** `QUESTION~VALUE`: records with this answer. */
  readonly answer?: string
  /** The status of the answers that are considered. Default: submitted. */
  readonly given?: 'submitted' | 'draft' | 'discarded' | 'any'
  /** `YYYY-MM-DD`: records with answers that changed on these days, in the browser's time zone. */
  readonly from?: string
  readonly to?: string
  /** The ID of a second person, who has also answered. */
  readonly with?: string
  /** `QUESTION~VALUE`: the second person's answer. */
  readonly other?: string
  /** `KIND~QUESTION`: records with `any` answer, a `single` answer or `shared` answers (two or more) to the question. */
  readonly overlap?: string
  /**
   * `RESULT~QUESTION~AGENT`: records with answers to a question that has a suggestion. `RESULT` says whether the answers must
   * equal the suggestion.
   */
  readonly suggested?: string
  /** `answers` or `suggestion`: records whose answers differ from each other, or from the suggestion. `~QUESTION` may follow. */
  readonly differ?: string
  /**
   * `FROM~TO~QUESTION`: records on which the agreement of the answers to the question is between these bounds, from 0 to 100
   * percent. A bound may be empty.
   */
  readonly agreement?: string
  /** `COLUMN.asc` or `COLUMN.desc`. */
  readonly sort?: string
  /** The ID of the record that is open in the side panel. */
  readonly record?: string
}

const oneOf = <T extends string>(value: unknown, known: readonly T[]): T | undefined => known.find((one) => one === value)
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const matching = (value: unknown, pattern: RegExp): string | undefined => pattern.exec(text(value) ?? '')?.[0]

/** Keeps the known query parameters and drops all others. Used as the route's `validateSearch`. */
export const validateRecordsSearch = (raw: { readonly [key: string]: unknown }): RecordsSearch =>
  Object.fromEntries(
    Object.entries({
      search: text(raw['search']),
      status: oneOf(raw['status'], ['pending', 'completed']),
      review: oneOf(raw['review'], ['none', 'started', 'final', 'stale']),
      final: text(raw['final']),
      comments: oneOf(raw['comments'], ['open']),
      assigned: text(raw['assigned']),
      by: text(raw['by']),
      answer: text(raw['answer']),
      given: oneOf(raw['given'], ['submitted', 'draft', 'discarded', 'any']),
      from: matching(raw['from'], /^\d{4}-\d{2}-\d{2}$/),
      to: matching(raw['to'], /^\d{4}-\d{2}-\d{2}$/),
      with: text(raw['with']),
      other: text(raw['other']),
      overlap: matching(raw['overlap'], /^(any|single|shared)~[^~]+$/),
      suggested: matching(raw['suggested'], /^(shown|accepted|changed)~[^~]+~[^~]*$/),
      differ: matching(raw['differ'], /^(answers|suggestion)(~.+)?$/),
      agreement: matching(raw['agreement'], /^(?:\d{1,3}~\d{0,3}|~\d{1,3})~[^~]+$/),
      sort: text(raw['sort']),
      record: text(raw['record']),
    }).filter(([, value]) => value !== undefined),
  ) as RecordsSearch
