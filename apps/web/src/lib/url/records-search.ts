/** The query of the records page. Keys without a value are left out. */
export type RecordsSearch = {
  readonly search?: string
  readonly status?: 'pending' | 'completed'
  /** The ID of the person whose answers count. */
  readonly by?: string
  /** `QUESTION~VALUE`: records with this answer. */
  readonly answer?: string
  /** `answers` or `suggestion`: records whose answers differ from each other, or from the suggestion. `~QUESTION` may follow. */
  readonly differ?: string
  /** `COLUMN.asc` or `COLUMN.desc`. */
  readonly sort?: string
  /** The ID of the record that is open in the side panel. */
  readonly record?: string
}

const oneOf = <T extends string>(value: unknown, known: readonly T[]): T | undefined => known.find((one) => one === value)
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** Keeps the known query parameters and drops all others. Used as the route's `validateSearch`. */
export const validateRecordsSearch = (raw: { readonly [key: string]: unknown }): RecordsSearch =>
  Object.fromEntries(
    Object.entries({
      search: text(raw['search']),
      status: oneOf(raw['status'], ['pending', 'completed']),
      by: text(raw['by']),
      answer: text(raw['answer']),
      differ: /^(answers|suggestion)(~.+)?$/.exec(text(raw['differ']) ?? '')?.[0],
      sort: text(raw['sort']),
      record: text(raw['record']),
    }).filter(([, value]) => value !== undefined),
  ) as RecordsSearch
