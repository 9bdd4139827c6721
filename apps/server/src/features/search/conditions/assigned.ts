import { seqList } from '#platform/db/keys/seq-list.ts'
import type { SearchContext } from '../search-context.ts'
import { SeqSet, type Signed } from '../seq-set.ts'
import type { AtomOf } from './atoms.ts'

/** Returns the records, starting at a `seq`, that are assigned to one of the users, or to anyone if `users` is null. */
const assignedTo = async (
  { db, datasetNo, size }: SearchContext,
  users: readonly string[] | null,
  from: number,
): Promise<SeqSet> => {
  if (users?.length === 0) return SeqSet.empty(size)
  let query = db.sql.selectFrom('assignments').where('dataset_no', '=', datasetNo)
  if (users !== null) query = query.where('user_id', 'in', [...users])
  if (from > 0) query = query.where('seq', '>=', from)
  const row = await query.select(seqList.as('seqs')).executeTakeFirst()
  return SeqSet.parse(size, row?.seqs ?? '')
}

/** Matches records by the people to whom they are assigned. Considers only records whose `seq` is at least `from`. */
export const withAssigned = async (
  context: SearchContext,
  { users, nobody, negated }: AtomOf<'assigned'>,
  from: number,
): Promise<Signed> => {
  if (context.assignmentsVersion === 0) return { negated: nobody !== negated, set: SeqSet.empty(context.size) }
  const own = await assignedTo(context, users, from)
  const set = nobody ? (await assignedTo(context, null, from)).minus(own) : own
  return { negated: nobody !== negated, set }
}
