import type { AnswerValues } from '@postil/contract/answer-value.ts'
import type { FieldValues } from '@postil/contract/field-values.ts'
import { checkResponse } from '@postil/contract/record-rules.ts'
import type { Db } from '#platform/db/db.ts'
import { openOutbox } from '#platform/events/outbox.ts'
import { now } from '#platform/time.ts'
import { touchActivity } from '../counters/counts.ts'
import { Tally } from '../counters/tally.ts'
import { emitChange } from '../events.ts'
import type { Actor } from '../policy.ts'
import { removeAnswers } from '../removal.ts'
import type { StoredResponse } from '../rows.ts'
import type { ScopeRecord } from '../scope.ts'
import { emitMany, holdMany, type ManyOutcome } from './answer-many.ts'
import { type RecordWithResponses, storeBulkResponses } from './bulk-store.ts'

export type TakeBack = {
  readonly user: Actor
  readonly dataset_no: number
  /** Records, each once: the version that the caller's answer must have, and the one that it gets back; 0 where there was none. */
  readonly items: readonly { readonly seq: number; readonly version: number; readonly to: number }[]
}

/** Answers of a user as history has them, by `seq` and version. */
const imagesOfMany = async (db: Db, { user, dataset_no, items }: TakeBack): Promise<ReadonlyMap<string, StoredResponse>> => {
  const seqs = items.filter(({ to }) => to > 0).map(({ seq }) => seq)
  if (seqs.length === 0) return new Map()
  const rows = await db.sql
    .selectFrom('history')
    .select(['seq', 'image'])
    .where('dataset_no', '=', dataset_no)
    .where('seq', 'in', db.dialect.listed(seqs))
    .where('subject', '=', 'response')
    .execute()
  const images = rows.map(({ seq, image }) => ({ seq, answer: image as unknown as StoredResponse }))
  const own = images.filter(({ answer }) => answer.user_id === user.id)
  return new Map(own.map(({ seq, answer }) => [`${seq} ${answer.version}`, answer]))
}

/**
 * Gives many records of a dataset back the answer of the caller that they had, or none, in the caller's transaction, as changes like any others:
 * only where the answer is the expected one, and by the rules that hold now.
 * @returns one outcome for each item, in their order; null when the dataset or the user is gone. @throws Problem forbidden
 */
export const takeBackMany = async (db: Db, args: TakeBack): Promise<readonly ManyOutcome[] | null> => {
  const { user, dataset_no, items } = args
  const ground = await holdMany(db, args)
  if (ground === null) return null
  const { held, questions, records, standing } = ground
  const images = await imagesOfMany(db, args)

  const emptied: ScopeRecord[] = []
  const restored: RecordWithResponses[] = []
  const outcomes = items.map(({ seq, version, to }): ManyOutcome => {
    const record = records.get(seq)
    if (record === undefined) return { seq, outcome: 'gone' }
    const image = images.get(`${seq} ${to}`)
    if (standing.get(seq)?.[0]?.version !== version || (to > 0 && image === undefined)) return { seq, outcome: 'changed' }
    if (image === undefined) emptied.push(record)
    else {
      // Fields and answers are stored as they passed the contract's own schemas.
      const values = image.values as AnswerValues
      const reason = checkResponse(values, image.status, questions, (record.fields ?? {}) as FieldValues)
      if (reason !== null) return { seq, outcome: 'invalid', reason }
      restored.push({ record, responses: [{ user_id: user.id, status: image.status, values }] })
    }
    return { seq, outcome: 'stored', version: version + 1 }
  })

  const { dataset } = held
  const tally = new Tally()
  const gone = await removeAnswers(db, { dataset, records: emptied, userId: user.id, actor: user.id, tally })
  const settled = await storeBulkResponses(db, { dataset, questions, actor: user.id, items: restored, tally })
  const at = now()
  if (emptied.length + restored.length > 0) await touchActivity(db, dataset_no, user.id, at)
  if (!held.told) return outcomes
  await emitMany(db, held, { userId: user.id, stored: restored, settled, before: standing })
  const outbox = await openOutbox(db)
  for (const record of emptied) {
    const response = gone.removed.get(record.seq)
    const { status, submitted } = gone.statuses.get(record.seq) ?? record
    const scope = { ...held, record: { ...record, status, submitted }, fields: null }
    if (response) await emitChange(db, outbox, { scope, status, response, event: 'response.deleted', at })
  }
  return outcomes
}
