import pg from 'pg'

// NOTE: `pg` gives int8 and numeric as text; ours fit a double exactly (times are microseconds, decisions on ids bound the rest)
const asNumber = (text: string): number => Number(text)

/** How values come out of the database: numbers of every size as numbers. */
export const numberTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: string) => {
    if (oid === 20 || oid === 1700) return asNumber
    return pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown
  },
} as pg.CustomTypesConfig
