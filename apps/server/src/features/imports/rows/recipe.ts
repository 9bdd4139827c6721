import type { FileMapping } from '@postil/contract/files/imports.ts'
import type { Limits } from '@postil/contract/wire/limits.ts'
import type { Schema } from '#features/records/public.ts'

/** How rows become records. */
export type Recipe = {
  readonly mapping: FileMapping
  readonly schema: Schema
  /** Returns the external ID for a row without one. */
  readonly idOf: (row: number) => string
  /**
   * Whether a row without an ID always becomes a new record. If false, such a row updates the record whose external ID is the
   * result of `idOf`, if there is such a record.
   */
  readonly isNewWithoutId: boolean
  readonly limits: Limits
  /** Whether each row names its own columns, as in JSON. Values of columns that a row doesn't name stay unchanged. */
  readonly rowsNameColumns: boolean
  /** Columns of numbers with decimal commas. */
  readonly decimalCommas?: readonly string[] | undefined
}
