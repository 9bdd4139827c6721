import { Problem } from '@postil/contract/wire/errors.ts'
import { jsonEquals } from '@postil/contract/wire/json.ts'
import { type StoredTest, testsOfRecords } from '#features/test-items/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { clearTestAnswer, putTestAnswer } from '../one/test-answer.ts'
import { recordScope } from '../scope.ts'
import type { SentAnswer } from '../sent-answer.ts'
import type { LockedMany, ManyOutcome } from './lock-many.ts'

/** The caller's test items among locked records, keyed by `seq`. Uses the same rule as for a single answer (`isTestAnswer`). */
export const testsAmong = async (
  db: Db,
  user: Actor,
  { lockedDataset, records, stored }: LockedMany,
): Promise<ReadonlyMap<number, StoredTest>> => {
  const possible = [...records.values()].filter(
    ({ seq, status }) => status === 'completed' && stored.get(seq)?.responses.has(user.id) !== true,
  )
  const seqs = possible.map(({ seq }) => seq)
  const found = await testsOfRecords(db, lockedDataset.dataset.no, seqs, user.id)
  return new Map([...found].flatMap(([seq, [test]]) => (test === undefined ? [] : [[seq, test]])))
}

type TestChange = {
  readonly user: Actor
  readonly seq: number
  readonly current: StoredTest
  /** The version that the answer is expected to have. Null if no answer is expected. */
  readonly base: number | null
  /** Null deletes the answer. */
  readonly after: SentAnswer | null
}

/** Changes the caller's answer to a test item. */
export const changeTestAnswer = async (
  db: Db,
  { lockedDataset, records, questions }: LockedMany,
  { user, seq, current, base, after }: TestChange,
): Promise<ManyOutcome> => {
  const locked = records.get(seq)
  if (locked === undefined) return { seq, outcome: 'gone' }
  const context = { scope: { ...lockedDataset, ...recordScope(locked) }, questions }
  const isSame = after !== null && after.status === current.status && jsonEquals(after.values ?? {}, current.values)
  if (isSame && current.version === base) return { seq, outcome: 'stored', version: current.version }
  try {
    if (after === null) {
      await clearTestAnswer(db, context, { user, base })
      return { seq, outcome: 'stored', version: current.version + 1 }
    }
    const { response } = await putTestAnswer(db, context, { user, base, sent: after })
    return { seq, outcome: 'stored', version: response.version }
  } catch (error) {
    // Conflicts and invalid answers are detected before anything is written, so they can be returned as outcomes.
    if (error instanceof Problem && error.data.kind === 'conflict') return { seq, outcome: 'changed' }
    if (error instanceof Problem && error.data.kind === 'unprocessable') return { seq, outcome: 'invalid', reason: error.reason }
    throw error
  }
}
