import type { AnswerValues } from '@postil/contract/answer-value.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { earlierVersions } from '#platform/db/statements/earlier-versions.ts'
import type { StoredResponse } from '../rows.ts'
import { contentOf } from '../scope.ts'
import type { SentAnswer } from '../sent-answer.ts'
import { changeMany, type ManyChange } from './answer-many.ts'
import { lockMany, type ManyOutcome } from './lock-many.ts'
import { changeTestAnswer, testsAmong } from './test-answers.ts'

type RevertArgs = {
  readonly user: Actor
  readonly dataset_no: number
  /**
   * Distinct records. `version`: the version that the caller's answer must have. `to`: the version to restore; 0 if there was
   * no answer.
   */
  readonly items: readonly { readonly seq: number; readonly version: number; readonly to: number }[]
}

/**
 * Returns the versions of a user's answers that the history contains, keyed by `seq` and version. `subject` selects regular
 * answers or answers to test items.
 */
const loadVersions = async (
  db: Db,
  { user, dataset_no }: RevertArgs,
  seqs: readonly number[],
  subject: 'response' | 'test',
): Promise<ReadonlyMap<string, StoredResponse>> => {
  const versions = await earlierVersions<StoredResponse>(db, dataset_no, seqs, subject)
  const own = versions.filter(({ version }) => version.user_id === user.id)
  return new Map(own.map(({ seq, version }) => [`${seq} ${version.version}`, version]))
}

// Answers were validated by the contract's schemas when they were stored.
const restored = ({ status, values, suggestion_outcomes, shown, returned }: StoredResponse): SentAnswer => ({
  status,
  values: values as AnswerValues,
  suggestion_outcomes: suggestion_outcomes ?? null,
  shown: shown ?? null,
  returned: returned ?? null,
})

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
  const tests = await testsAmong(db, user, locked)
  const seqs = items.filter(({ to }) => to > 0).map(({ seq }) => seq)
  const ordinary = seqs.filter((seq) => !tests.has(seq))
  const versions = await loadVersions(db, args, ordinary, 'response')
  const testVersions = await loadVersions(db, args, [...tests.keys()], 'test')
  const changes: ManyChange[] = []
  for (const { seq, version, to } of items) {
    const record = locked.records.get(seq)
    const current = tests.get(seq)
    const earlier = (current === undefined ? versions : testVersions).get(`${seq} ${to}`)
    if (record === undefined) changes.push({ seq, outcome: 'gone' })
    else if (to > 0 && earlier === undefined) changes.push({ seq, outcome: 'changed' })
    else {
      const after = earlier === undefined ? null : restored(earlier)
      changes.push(
        current === undefined
          ? { seq, change: { record, content: contentOf(record), after, base: version } }
          : await changeTestAnswer(db, locked, { user, seq, current, base: version, after }),
      )
    }
  }
  return changeMany(db, user.id, locked, changes)
}
