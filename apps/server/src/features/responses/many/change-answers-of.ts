import { autoGoldOf } from '#features/gold/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { earlierVersions } from '#platform/db/statements/earlier-versions.ts'
import { type AnswerChange, applyAnswers } from '../apply-answers.ts'
import type { StoredResponse } from '../rows.ts'
import { contentOf } from '../scope.ts'
import type { SentAnswer } from '../sent-answer.ts'
import { lockMany } from './lock-many.ts'

type ChangedCounts = {
  /** The answers that changed. */
  readonly stored: number
  /** The number of answers that the current rules don't allow. */
  readonly invalid: number
  /** The number of records that were deleted. */
  readonly gone: number
}

type ChangedAnswers = {
  readonly user: Actor
  readonly dataset_no: number
  readonly seqs: readonly number[]
  /** Marks the changed answers. */
  readonly mutationId: string
  /** The answer after the change; null if it doesn't change. */
  readonly afterOf: (answer: StoredResponse, seq: number) => SentAnswer | null
}

/**
 * Changes several people's answers to records in the caller's transaction, with all side effects. The caller has checked that the
 * user may change them. @returns null if the dataset or the user has been deleted. @throws Problem forbidden
 */
export const changeAnswersOf = async (
  db: Db,
  { user, dataset_no, seqs, mutationId, afterOf }: ChangedAnswers,
): Promise<ChangedCounts | null> => {
  const locked = await lockMany(db, { user, dataset_no, items: seqs.map((seq) => ({ seq })) })
  if (locked === null) return null
  const { lockedDataset, questions, records, stored } = locked
  const changes = [...records.values()].flatMap((record) =>
    [...(stored.get(record.seq)?.responses.values() ?? [])].flatMap((answer): AnswerChange[] => {
      const after = afterOf(answer, record.seq)
      const content = contentOf(record)
      return after === null ? [] : [{ record, content, author: answer.user_id, after, base: answer.version, mutationId }]
    }),
  )
  const { outcomes } = await applyAnswers(db, {
    dataset: lockedDataset.dataset,
    questions,
    actor: user.id,
    changes,
    stored,
    keepsEqual: true,
    autoGold: autoGoldOf(lockedDataset.dataset),
    activity: lockedDataset,
    knowsAuthors: true,
  })
  const count = (wanted: 'stored' | 'invalid'): number => outcomes.filter(({ outcome }) => outcome === wanted).length
  return { stored: count('stored'), invalid: count('invalid'), gone: seqs.length - records.size }
}

type Replaced = {
  /** The version of an answer before its last change. */
  readonly replacedBy: (answer: StoredResponse) => StoredResponse | null
  /** Returns the IDs of the answers that a job stored and that have been changed since. */
  readonly changedSince: (job: string) => Set<string>
}

/** Reads earlier versions of the answers to some records from the history. */
export const replacedAnswers = async (db: Db, datasetNo: number, seqs: readonly number[]): Promise<Replaced> => {
  const earlier = await earlierVersions<StoredResponse & { readonly schema_version?: number }>(db, datasetNo, seqs, 'response')
  // Versions that a label change replaced are left out. A label change doesn't raise the version number, so another version has
  // the same number.
  const replaced = earlier.filter(({ version }) => version.schema_version === undefined)
  const versions = new Map(replaced.map(({ version }) => [`${version.id} ${version.version}`, version]))
  return {
    replacedBy: ({ id, version }) => versions.get(`${id} ${version - 1}`) ?? null,
    changedSince: (job) => new Set(replaced.flatMap(({ version }) => (version.last_mutation_id === job ? [version.id] : []))),
  }
}
