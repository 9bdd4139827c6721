import type { Db } from '#platform/db/db.ts'
import { stemOf } from './stem.ts'

/**
 * Maximum length of a base name in bytes. An ID consists of the base name and numbers, for example `name-2_15`. With this limit,
 * the ID is short enough that its index key is the ID itself (see `valueKey`).
 */
const MAX_BYTES = 160
/**
 * Bounds of the suffixes `_` and row number, with which a base name becomes an ID. `from` is inclusive. `to` is exclusive: `:` is
 * the character after `9`.
 */
const ROWS = { from: '_0', to: '_:' }

const shortened = (text: string): string => {
  let bytes = 0
  const fits = (character: string): boolean => {
    bytes += Buffer.byteLength(character, 'utf8')
    return bytes <= MAX_BYTES
  }
  const characters = [...text]
  const end = characters.findIndex((character) => !fits(character))
  return end === -1 ? text : characters.slice(0, end).join('')
}

const isTaken = async (db: Db, datasetNo: number, name: string): Promise<boolean> => {
  const first = await db.sql
    .selectFrom('records')
    .select('seq')
    .where('dataset_no', '=', datasetNo)
    .where('external_key', '>=', `${name}${ROWS.from}`)
    .where('external_key', '<', `${name}${ROWS.to}`)
    .limit(1)
    .executeTakeFirst()
  return first !== undefined
}

/**
 * Returns the base of the external IDs for a file's rows without an ID. The base is the file's name, with a number appended if
 * the name is already used as a base. Rows without an ID therefore always become new records. @param reserved base names used by
 * running imports
 */
export const findFreeName = async (
  db: Db,
  datasetNo: number,
  { file, reserved }: { readonly file: string; readonly reserved: ReadonlySet<string> },
): Promise<string> => {
  const stem = shortened(stemOf(file))
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? stem : `${stem}-${number}`
    if (!reserved.has(name) && !(await isTaken(db, datasetNo, name))) return name
  }
}
