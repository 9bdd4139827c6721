import { basename, dirname, resolve } from 'node:path'
import type { Parsed } from './parsers.ts'

/** Where the data is: a PostgreSQL server, or the folder of the embedded database. */
export type DatabasePlace = { readonly postgres: string } | { readonly folder: string }

const OWN_FILE = 'postil.db'
const FORM =
  'must be a URL such as postgresql://user:password@host:5432/name. In the password, write / ? # % @ : and spaces as %2F %3F %23 %25 %40 %3A %20'
const FOREIGN =
  "names an SQLite file that does not belong to Postil. Postil never opens another server's database. To copy its data, " +
  "run 'postil migrate-from' while that server is running. Unset this setting, and choose a folder for the embedded database with POSTIL_DATA_DIR"

/** SQLAlchemy format: three slashes before a relative path, four before an absolute one. */
const sqlite = (rest: string): Parsed<DatabasePlace> => {
  const path = decodeURIComponent(rest.split('?')[0] ?? '').replace(/^\/\/\//, '')
  return basename(path) === OWN_FILE ? { value: { folder: resolve(dirname(path)) } } : { problem: FOREIGN }
}

const postgres = (rest: string): Parsed<DatabasePlace> => {
  const url = new URL(`postgresql:${rest}`)
  if (!rest.startsWith('//') || url.pathname.length < 2) return { problem: FORM }
  // The Python driver `asyncpg` uses `ssl` where libpq and our driver use `sslmode`.
  const ssl = url.searchParams.get('ssl')
  if (ssl !== null) {
    url.searchParams.delete('ssl')
    url.searchParams.set('sslmode', ssl === 'true' ? 'require' : ssl)
  }
  // Our driver treats these modes like the strictest one, `verify-full`, and prints a long warning that a later version will
  // treat them differently. Setting `verify-full` avoids the warning.
  const strict = ['prefer', 'require', 'verify-ca'].includes(url.searchParams.get('sslmode') ?? '')
  if (strict && !url.searchParams.has('uselibpqcompat')) url.searchParams.set('sslmode', 'verify-full')
  return { value: { postgres: url.href } }
}

/** Parses a database URL in SQLAlchemy or libpq format. A driver suffix (`+asyncpg`, `+psycopg2`) is dropped. */
export const databasePlace = (raw: string): Parsed<DatabasePlace> => {
  const match = /^(postgresql|postgres|sqlite)(?:\+[a-z0-9]+)?:(.*)$/is.exec(raw.trim())
  if (!match) return { problem: FORM }
  try {
    return (match[1]?.toLowerCase() === 'sqlite' ? sqlite : postgres)(match[2] ?? '')
  } catch {
    return { problem: FORM }
  }
}
