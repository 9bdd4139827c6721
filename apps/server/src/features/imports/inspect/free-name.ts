import type { Db } from '#platform/db/db.ts'
import { stemOf } from './stem.ts'

/** NOTE: with a number and a row behind it, it is an index key of its own, which keys of longer texts are not */
const MAX_BYTES = 160
/** What separates a name from a row, with the first character that a row can have and the one behind the last. */
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
 * What the rows of a file are called that have no id of their own: as the file, with a number behind it where records are called so
 * already. Such a row is a new record, whatever other file had the name.
 * @param promised names that imports which go on have
 */
export const freeName = async (
  db: Db,
  datasetNo: number,
  { file, promised }: { readonly file: string; readonly promised: ReadonlySet<string> },
): Promise<string> => {
  const stem = shortened(stemOf(file))
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? stem : `${stem}-${number}`
    if (!promised.has(name) && !(await isTaken(db, datasetNo, name))) return name
  }
}
