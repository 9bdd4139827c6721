import { seqList } from '#platform/db/keys/seq-list.ts'
import type { ResponseStatus } from '#platform/db/tables.ts'
import type { Reach } from '../reach.ts'
import { SeqSet, type Signed } from '../seq-set.ts'
import type { AtomOf } from './atoms.ts'

const stored: readonly ResponseStatus[] = ['draft', 'submitted', 'discarded']

/** Records that a user, or anyone, has answered with one of these statuses. */
const answered = async (
  { db, datasetNo, size }: Reach,
  user: string | null,
  statuses: readonly ResponseStatus[],
): Promise<SeqSet> => {
  if (statuses.length === 0) return SeqSet.empty(size)
  let query = db.sql.selectFrom('responses').where('dataset_no', '=', datasetNo)
  if (user !== null) query = query.where('user_id', '=', user)
  if (user !== null || statuses.length < stored.length) query = query.where('status', 'in', [...statuses])
  const row = await query.select(seqList.as('seqs')).executeTakeFirst()
  return SeqSet.parse(size, row?.seqs ?? '')
}

/**
 * By the status of answers. `pending` means no answer of the caller, or of anybody; other values mean that one answer, the
 * caller's or anybody's, has it.
 */
export const withAnswers = async (reach: Reach, { user, statuses }: AtomOf<'answers'>): Promise<Signed> => {
  const wanted = stored.filter((status) => statuses.includes(status))
  if (!statuses.includes('pending')) return { negated: false, set: await answered(reach, user, wanted) }
  const others = stored.filter((status) => !statuses.includes(status))
  // A user has one answer to a record: without one of the other statuses it is none or a wanted one.
  if (user !== null) return { negated: true, set: await answered(reach, user, others) }
  const any = await answered(reach, null, stored)
  return { negated: true, set: any.minus(await answered(reach, null, wanted)) }
}
