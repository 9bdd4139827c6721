/** A value that can be asked for; the count is of records, where it is known. */
export type FilterOption = { readonly value: string; readonly text: string; readonly count?: number }

/** How values can be restricted: to some of a list, or to numbers between two bounds. */
export type ValueFilter =
  | {
      readonly by: 'terms'
      readonly options: readonly FilterOption[]
      /** A value is a list, so that several can be asked for at once. */
      readonly together: boolean
    }
  | {
      readonly by: 'range'
      /** Least and greatest that there is; null where nothing is known of them. */
      readonly min: number | null
      readonly max: number | null
      /** Only whole numbers make sense. */
      readonly whole: boolean
    }
