import { forbidden } from '@postil/contract/wire/errors.ts'
import type { Reason } from '@postil/contract/wire/message.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { responsePolicy } from '../policy.ts'
import { loadQuestions, lockDataset, lockRecords } from '../scope.ts'
import { loadAnswers } from '../stored-answers.ts'

/**
 * The outcome of a change to one record's answer. `changed`: the caller's answer doesn't have the expected version. `gone`: the
 * record no longer exists. `version`: the stored answer's version, which stays the same if the answer was already equal.
 */
export type ManyOutcome = { readonly seq: number } & (
  | { readonly outcome: 'stored'; readonly version: number }
  | { readonly outcome: 'changed' | 'gone' }
  | { readonly outcome: 'invalid'; readonly reason: Reason }
)

type ManyArgs = { readonly user: Actor; readonly dataset_no: number; readonly items: readonly { readonly seq: number }[] }

/**
 * Prepares a change to the caller's answers to many records: locks the dataset and the records, and loads the questions and
 * answers. Records and answers are keyed by `seq`. @returns null if the dataset or the user has been deleted. @throws Problem
 * forbidden
 */
export const lockMany = async (db: Db, { user, dataset_no, items }: ManyArgs) => {
  const lockedDataset = await lockDataset(db, dataset_no, user.id)
  if (lockedDataset === null) return null
  if (!responsePolicy.create(user, lockedDataset)) throw forbidden()
  const questions = await loadQuestions(db, dataset_no)
  const seqs = items.map(({ seq }) => seq)
  const records = new Map(
    (await lockRecords(db, { no: dataset_no, userId: user.id }, seqs)).map((record) => [record.seq, record]),
  )
  const stored = await loadAnswers(db, dataset_no, seqs)
  return { lockedDataset, questions, records, stored }
}

export type LockedMany = NonNullable<Awaited<ReturnType<typeof lockMany>>>
