import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import type { ResponseValues } from '#platform/db/tables.ts'
import { newDatasetId } from '#platform/ids.ts'
import { type Micros, now } from '#platform/time.ts'
import { writeAgreement } from '../agreement/record-agreement.ts'
import { writeRows } from '../apply-answers.ts'
import { replaceIndexRows } from '../index-rows.ts'
import type { StoredResponse } from '../rows.ts'
import { loadQuestions } from '../scope.ts'
import type { AnswersOfRecord } from '../stored-answers.ts'

type Relabeling = {
  readonly dataset_no: number
  /** The user who changes the labels. */
  readonly actor: string | null
  /** The version of the schema with the new labels. */
  readonly schemaVersion: number
  /** When the labels were changed on the server from which the version is copied. */
  readonly changedAt?: Micros | undefined
  /** All answers to some records, by `seq`. The caller has locked the records. */
  readonly stored: ReadonlyMap<number, AnswersOfRecord>
  /** Returns the answer's values with the new labels. If no label changes, returns the same object, `answer.values`. */
  readonly valuesOf: (answer: StoredResponse) => ResponseValues
}

/**
 * Replaces labels in stored answers, and updates the index rows, the agreement and the history. For its author, an answer stays
 * the same: its version and time don't change, so edits that are based on it still apply, and final answers don't become stale.
 * @returns how many answers were changed
 */
export const relabelAnswers = async (
  db: Db,
  { dataset_no, actor, schemaVersion, changedAt, stored, valuesOf }: Relabeling,
): Promise<number> => {
  const records = [...stored].flatMap(([seq, answers]) => {
    const changed = new Map(
      [...answers.responses].flatMap(([author, first]) => {
        const values = valuesOf(first)
        return values === first.values ? [] : [[author, { first, last: { ...first, values } }]]
      }),
    )
    return changed.size === 0 ? [] : [{ record: { seq }, stored: answers, changed }]
  })
  const answers = records.flatMap(({ record: { seq }, changed }) =>
    [...changed].map(([author, versions]) => ({ seq, author, ...versions })),
  )
  if (answers.length === 0) return 0
  const questions = await loadQuestions(db, dataset_no)
  await pipeline([
    writeRows(db, dataset_no, answers),
    db.dialect.insertMany(
      db.sql,
      'history',
      answers.map(({ seq, first }) => ({
        dataset_no,
        seq,
        id: newDatasetId(dataset_no),
        subject: 'response' as const,
        subject_id: first.id,
        action: 'update' as const,
        user_id: actor,
        at: changedAt ?? now(),
        image: json({ ...first, schema_version: schemaVersion }),
      })),
    ),
    replaceIndexRows(db, dataset_no, questions, answers),
    writeAgreement(db, dataset_no, questions, records),
  ])
  return answers.length
}
