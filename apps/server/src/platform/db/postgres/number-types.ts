import pg from 'pg'

// `pg` returns int8 and numeric values as text. JavaScript numbers can represent all our values exactly: times are in
// microseconds, and the ID scheme limits all other values.
const asNumber = (text: string): number => Number(text)

/** Parsers for database values. Numbers of every size are parsed as JavaScript numbers. */
export const numberTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: string) => {
    if (oid === 20 || oid === 1700) return asNumber
    return pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown
  },
} as pg.CustomTypesConfig
