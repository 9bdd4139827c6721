import type { AnswerValues } from '@postil/contract/answer-value.ts'
import type { FieldValues } from '@postil/contract/field-values.ts'
import { checkResponse } from '@postil/contract/record-rules.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { openOutbox } from '#platform/events/outbox.ts'
import { now } from '#platform/time.ts'
import { touchActivity } from '../counters/counts.ts'
import { Tally } from '../counters/tally.ts'
import { emitChange } from '../events.ts'
import { removeAnswers } from '../removal.ts'
import type { StoredResponse } from '../rows.ts'
import type { ScopeRecord } from '../scope.ts'
import { emitMany, lockMany, type ManyOutcome } from './answer-many.ts'
import { type RecordWithResponses, storeBulkResponses } from './bulk-store.ts'

export type RevertArgs = {
  readonly user: Actor
  readonly dataset_no: number
  /**
   * Distinct records. `version`: the version that the caller's answer must have. `to`: the version to restore; 0 if there was
   * no answer.
   */
  readonly items: readonly { readonly seq: number; readonly version: number; readonly to: number }[]
}

/** Returns a user's answers from the history, by `seq` and version. */
const loadVersions = async (db: Db, { user, dataset_no, items }: RevertArgs): Promise<ReadonlyMap<string, StoredResponse>> => {
  const seqs = items.filter(({ to }) => to > 0).map(({ seq }) => seq)
  if (seqs.length === 0) return new Map()
  const rows = await db.sql
    .selectFrom('history')
    .select(['seq', 'image'])
    .where('dataset_no', '=', dataset_no)
    .where('seq', 'in', db.dialect.listed(seqs))
    .where('subject', '=', 'response')
    .execute()
  const versions = rows.map(({ seq, image }) => ({ seq, answer: image as unknown as StoredResponse }))
  const own = versions.filter(({ answer }) => answer.user_id === user.id)
  return new Map(own.map(({ seq, answer }) => [`${seq} ${answer.version}`, answer]))
}

/**
 * Restores the caller's earlier answers to many records of a dataset, or removes the answer where there was none, in the
 * caller's transaction. Each restored answer is an ordinary change: it requires the expected version and must pass the current
 * rules.
 * @returns one outcome per item, in input order; null if the dataset or the user has been deleted. @throws Problem forbidden
 */
export const revertMany = async (db: Db, args: RevertArgs): Promise<readonly ManyOutcome[] | null> => {
  const { user, dataset_no, items } = args
  const locked = await lockMany(db, args)
  if (locked === null) return null
  const { lockedDataset, questions, records, current } = locked
  const versions = await loadVersions(db, args)

  const toDelete: ScopeRecord[] = []
  const toRestore: RecordWithResponses[] = []
  const outcomes = items.map(({ seq, version, to }): ManyOutcome => {
    const record = records.get(seq)
    if (record === undefined) return { seq, outcome: 'gone' }
    const earlier = versions.get(`${seq} ${to}`)
    if (current.get(seq)?.[0]?.version !== version || (to > 0 && earlier === undefined)) return { seq, outcome: 'changed' }
    if (earlier === undefined) toDelete.push(record)
    else {
      // Fields and answers were validated by the contract's schemas when they were stored.
      const values = earlier.values as AnswerValues
      const reason = checkResponse(values, earlier.status, questions, (record.fields ?? {}) as FieldValues)
      if (reason !== null) return { seq, outcome: 'invalid', reason }
      toRestore.push({ record, responses: [{ user_id: user.id, status: earlier.status, values }] })
    }
    return { seq, outcome: 'stored', version: version + 1 }
  })

  const { dataset } = lockedDataset
  const tally = new Tally()
  const removal = await removeAnswers(db, { dataset, records: toDelete, userId: user.id, actor: user.id, tally })
  const settled = await storeBulkResponses(db, { dataset, questions, actor: user.id, items: toRestore, tally })
  const at = now()
  if (toDelete.length + toRestore.length > 0) await touchActivity(db, dataset_no, user.id, at)
  if (!lockedDataset.hasWebhooks) return outcomes
  await emitMany(db, lockedDataset, { userId: user.id, stored: toRestore, settled, before: current })
  const outbox = await openOutbox(db)
  for (const record of toDelete) {
    const response = removal.removed.get(record.seq)
    const { status, submitted } = removal.statuses.get(record.seq) ?? record
    const scope = { ...lockedDataset, record: { ...record, status, submitted }, fields: null }
    if (response) await emitChange(db, outbox, { scope, status, response, event: 'response.deleted', at })
  }
  return outcomes
}
