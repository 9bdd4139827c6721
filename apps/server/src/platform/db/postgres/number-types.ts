import pg from 'pg'

// `pg` returns int8 and numeric as text. Our values fit a double exactly: times are microseconds, and the ID scheme bounds the
// rest.
const asNumber = (text: string): number => Number(text)

/** Parsers for database values. Numbers of every size are parsed as JavaScript numbers. */
export const numberTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: string) => {
    if (oid === 20 || oid === 1700) return asNumber
    return pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown
  },
} as pg.CustomTypesConfig
