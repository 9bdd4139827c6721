import type { Db } from '#platform/db/db.ts'
import { stemOf } from './stem.ts'

/**
 * Maximum length of a base name in bytes. A number and a row number may be appended to the name. Up to this length, the result
 * still has a distinct index key. The result of a longer name might not have one.
 */
const MAX_BYTES = 160
/**
 * Bounds of the suffixes that are appended to a base name for rows without an ID. A suffix consists of a separator and a row
 * number. `from` is inclusive and ends with the first digit. `to` is exclusive and ends with the character after the last digit.
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
 * The base name for a file's rows without an ID: the file's name, with a number appended if the name is taken. Such rows
 * therefore always become new records.
 * @param reserved base names used by running imports
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
