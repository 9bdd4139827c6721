import type { SearchContext } from '../search-context.ts'
import { SeqSet, type Signed } from '../seq-set.ts'
import type { AtomOf } from './atoms.ts'
import { withExternalIds, withIds } from './columns.ts'

const PREFIX = 'id:'
const quotedText = /^"(.*)"$/su

/**
 * The ID that a text query asks for: the text after `id:`, or the whole query. Null if no record can have this ID. A query that
 * is limited to one field asks for an ID only if it begins with `id:`.
 */
export const idOf = ({ q, field }: Pick<AtomOf<'text'>, 'q' | 'field'>): string | null => {
  const written = q.trim()
  const explicit = written.startsWith(PREFIX) ? written.slice(PREFIX.length).trimStart() : undefined
  const id = explicit === undefined ? (field === null ? written : '') : (quotedText.exec(explicit)?.[1] ?? explicit)
  return id === '' || !id.isWellFormed() || id.includes('\0') ? null : id
}

const recordNumber = /^#?([1-9]\d{0,9})$/

/** The record number in a text query, for example 12 in `id:12`. Null if the query contains no record number. */
export const numberOf = ({ q, field }: Pick<AtomOf<'text'>, 'q' | 'field'>): number | null => {
  const digits = q.trim().startsWith(PREFIX) ? recordNumber.exec(idOf({ q, field }) ?? '')?.[1] : undefined
  return digits === undefined ? null : Number(digits)
}

/**
 * Returns the records whose number, ID or external ID is the one that a text query asks for. Ignores records with a `seq` below
 * `from`.
 */
export const recordsById = async (context: SearchContext, atom: AtomOf<'text'>, from: number): Promise<SeqSet> => {
  const id = idOf(atom)
  const found = SeqSet.empty(context.size)
  if (id === null) return found
  const number = numberOf(atom)
  if (number !== null && number < context.size && number >= from) {
    const all = await context.db.sql
      .selectFrom('records')
      .select('seq')
      .where('dataset_no', '=', context.datasetNo)
      .where('seq', '=', number)
      .execute()
    for (const { seq } of all) found.add(seq)
  }
  for (const list of [
    await withIds(context, { kind: 'ids', ids: [id] }, from),
    await withExternalIds(context, { kind: 'external_ids', ids: [id] }, from),
  ])
    if (list !== '') found.or(SeqSet.parse(context.size, list))
  return found
}

/** Adds records to a result. */
export const withRecords = ({ negated, set }: Signed, records: SeqSet): Signed =>
  negated ? { negated, set: set.minus(records) } : { negated, set: set.or(records) }
