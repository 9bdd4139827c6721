import { seqList } from '#platform/db/keys/seq-list.ts'
import type { ResponseStatus } from '#platform/db/tables.ts'
import { isEvaluated, type SearchContext } from '../search-context.ts'
import { SeqSet, type Signed } from '../seq-set.ts'
import type { AtomOf } from './atoms.ts'

const stored: readonly ResponseStatus[] = ['draft', 'submitted', 'discarded']

/** Returns the records that have an answer with one of these statuses by the user, or by any user if `user` is null. */
const answered = async (context: SearchContext, user: string | null, statuses: readonly ResponseStatus[]): Promise<SeqSet> => {
  const { db, datasetNo, size, ownTests } = context
  if (statuses.length === 0) return SeqSet.empty(size)
  let query = db.sql.selectFrom('responses').where('dataset_no', '=', datasetNo).where(isEvaluated(context))
  if (user !== null) query = query.where('user_id', '=', user)
  if (user !== null || statuses.length < stored.length) query = query.where('status', 'in', [...statuses])
  const row = await query.select(seqList.as('seqs')).executeTakeFirst()
  const set = SeqSet.parse(size, row?.seqs ?? '')
  for (const { seq, status } of ownTests) if (status !== null && statuses.includes(status)) set.add(seq)
  return set
}

/** Returns the records with an answer that changed within the bounds. */
export const withAnswerTimes = async (
  context: SearchContext,
  { user, status, bounds }: AtomOf<'answer_times'>,
): Promise<SeqSet> => {
  const { db, datasetNo, size, ownTests } = context
  let query = db.sql.selectFrom('responses').where('dataset_no', '=', datasetNo).where(isEvaluated(context))
  if (user !== null) query = query.where('user_id', '=', user)
  if (status !== null) query = query.where('status', '=', status)
  if (bounds.ge !== null) query = query.where('updated_at', '>=', bounds.ge)
  if (bounds.le !== null) query = query.where('updated_at', '<=', bounds.le)
  const row = await query.select(seqList.as('seqs')).executeTakeFirst()
  const set = SeqSet.parse(size, row?.seqs ?? '')
  const isWithin = (time: number) => (bounds.ge === null || time >= bounds.ge) && (bounds.le === null || time <= bounds.le)
  for (const test of ownTests)
    if (test.status !== null && (status === null || test.status === status) && isWithin(test.updated_at)) set.add(test.seq)
  return set
}

/**
 * Matches by answer status. `pending` means that the user has no answer or, if no user is given, that nobody has one. Other
 * values require an answer with that status.
 */
export const withAnswers = async (context: SearchContext, { user, statuses }: AtomOf<'answers'>): Promise<Signed> => {
  const requested = stored.filter((status) => statuses.includes(status))
  if (!statuses.includes('pending')) return { negated: false, set: await answered(context, user, requested) }
  const others = stored.filter((status) => !statuses.includes(status))
  // A user has at most one answer to a record. Therefore, these are all records to which the user has no answer with one of the
  // other statuses.
  if (user !== null) return { negated: true, set: await answered(context, user, others) }
  const any = await answered(context, null, stored)
  return { negated: true, set: any.minus(await answered(context, null, requested)) }
}
