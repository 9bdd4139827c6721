/** A value to filter by. `count` is the number of records, if it is known. */
export type FilterOption = { readonly value: string; readonly text: string; readonly count?: number }

/** How values can be filtered: by values picked from a list, or by numbers between two bounds. */
export type ValueFilter =
  | {
      readonly by: 'terms'
      readonly options: readonly FilterOption[]
      /** Whether one record can have several of these options, so that a filter can require more than one. */
      readonly combined: boolean
    }
  | {
      readonly by: 'range'
      /** The smallest and largest existing value, or null if unknown. */
      readonly min: number | null
      readonly max: number | null
      /** Whether the bounds must be integers. */
      readonly whole: boolean
    }
