/** The URL parameters of the records page. Parameters without a value are left out. */
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
  /** Only answers with this status are considered. Default: submitted. */
  readonly given?: 'submitted' | 'draft' | 'discarded' | 'any'
  /**
   * `YYYY-MM-DD`: the first and the last day of a range, in the browser's time zone. Finds records with answers that changed in
   * this range.
   */
  readonly from?: string
  readonly to?: string
  /** The ID of a second person, who has also answered. */
  readonly with?: string
  /** `QUESTION~VALUE`: the second person's answer. */
  readonly other?: string
  /**
   * `KIND~QUESTION`: records with answers to the question. `KIND` is `any` (at least one answer), `single` (exactly one) or
   * `shared` (two or more).
   */
  readonly overlap?: string
  /**
   * `RESULT~QUESTION~AGENT`: records with a suggestion by the agent and answers to the question. If `RESULT` is `accepted`, an
   * answer equals the suggestion. If it is `changed`, an answer differs from the suggestion. If it is `shown`, either is
   * possible.
   */
  readonly suggested?: string
  /**
   * `answers`: records whose answers differ from each other. `suggestion`: records whose answers differ from the suggestion. With
   * a question's name, as in `answers~tone`, only the answers to this question are compared.
   */
  readonly differ?: string
  /**
   * `FROM~TO~QUESTION`: records whose answers to the question have an agreement between these bounds, in percent (0 to 100). A
   * bound may be empty.
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
