import type { AnswerValues } from '@postil/contract/answer-value.ts'
import type { FieldValues } from '@postil/contract/field-values.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { earlierVersions } from '#platform/db/statements/earlier-versions.ts'
import type { StoredResponse } from '../rows.ts'
import { changeMany, lockMany, type ManyChange, type ManyOutcome } from './answer-many.ts'

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
  const versions = await earlierVersions<StoredResponse>(db, dataset_no, seqs, 'response')
  const own = versions.filter(({ version }) => version.user_id === user.id)
  return new Map(own.map(({ seq, version }) => [`${seq} ${version.version}`, version]))
}

/**
 * Restores the caller's earlier answers to many records of a dataset, in the caller's transaction. If there was no earlier
 * answer, removes the current one. Each restored answer is an ordinary change: it requires the expected version and must pass
 * the current rules.
 * @returns one outcome per item, in input order; null if the dataset or the user has been deleted. @throws Problem forbidden
 */
export const revertMany = async (db: Db, args: RevertArgs): Promise<readonly ManyOutcome[] | null> => {
  const { user, items } = args
  const locked = await lockMany(db, args)
  if (locked === null) return null
  const versions = await loadVersions(db, args)
  const changes = items.map(({ seq, version, to }): ManyChange => {
    const record = locked.records.get(seq)
    if (record === undefined) return { seq, outcome: 'gone' }
    if (to === 0) return { seq, change: { record, after: null, base: version } }
    const earlier = versions.get(`${seq} ${to}`)
    if (earlier === undefined) return { seq, outcome: 'changed' }
    // Fields and answers were validated by the contract's schemas when they were stored.
    const fields = (record.fields ?? {}) as FieldValues
    const after = {
      status: earlier.status,
      values: earlier.values as AnswerValues,
      suggestion_outcomes: earlier.suggestion_outcomes ?? null,
      returned: earlier.returned ?? null,
    }
    return { seq, change: { record, fields, after, base: version } }
  })
  return changeMany(db, user.id, locked, changes)
}
