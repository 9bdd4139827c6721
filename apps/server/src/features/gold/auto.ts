import type { Db } from '#platform/db/db.ts'
import { metadataForConditions } from '#platform/db/statements/condition-metadata.ts'
import type { ResponseValues } from '#platform/db/tables.ts'
import type { Micros } from '#platform/time.ts'
import { decide, decideRecord, type GivenAnswer } from './decide.ts'
import { goldOfRecords } from './rows.ts'
import { basisOf, writeGold } from './write.ts'

/** The rules by which final answers are stored when an answer completes a record. */
export type AutoGold = {
  readonly unanimous: boolean
  readonly majority: { readonly min: number; readonly share: number } | null
  /** The user who set the rules. */
  readonly by: string
}

type Dataset = { readonly review: { readonly [key: string]: unknown } | null }

/** The rules by which records get final answers automatically. Null if the review settings contain no such rules. */
export const autoGoldOf = ({ review }: Dataset): AutoGold | null =>
  // The command that stores the settings has validated them.
  (review?.['auto'] as AutoGold | null | undefined) ?? null

type CompletedRecord = {
  readonly seq: number
  readonly record_id: string
  readonly answers: readonly {
    readonly id: string
    readonly version: number
    readonly user_id: string
    readonly values: ResponseValues
  }[]
}
type Context = {
  readonly dataset: { readonly no: number; readonly min_submitted: number }
  readonly questions: Parameters<typeof decideRecord>[0]
  readonly rules: AutoGold
  readonly at: Micros
}

/** Two people must give the same answer, unless one answer completes a record. */
const PEOPLE = 2

/**
 * Stores the final answers of records that were completed. Keeps finished reviews, even stale ones, and final answers that a
 * reviewer has already chosen. The caller has locked the records.
 */
export const storeAutoGold = async (
  db: Db,
  { dataset, questions, rules, at }: Context,
  records: readonly CompletedRecord[],
): Promise<void> => {
  const { unanimous, majority, by } = rules
  const min = Math.min(PEOPLE, dataset.min_submitted)
  const decideOne = (_question: string, given: readonly GivenAnswer[]) => {
    const values = given.map(({ value }) => value)
    const agreed = unanimous ? decide(values, { rule: 'unanimous', min, share: 0 }) : null
    return agreed ?? (majority === null ? null : decide(values, { rule: 'majority', ...majority }))
  }
  const seqs = records.map(({ seq }) => seq)
  const golds = await goldOfRecords(db, dataset.no, seqs)
  const metadata = await metadataForConditions(db, dataset.no, questions, seqs)
  const changes = records.flatMap(({ seq, record_id, answers }) => {
    const before = golds.get(seq) ?? null
    if (before?.final === true) return []
    const { isChanged, ...after } = decideRecord(
      questions,
      { answers, gold: before, metadata: metadata(seq) },
      { decideOne, by, at },
    )
    return isChanged ? [{ seq, record_id, before, ...after, basis: basisOf(answers) }] : []
  })
  await writeGold(db, dataset.no, changes, { actor: by, mutationId: crypto.randomUUID(), at })
}
