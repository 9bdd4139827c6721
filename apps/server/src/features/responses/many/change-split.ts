import type { Db } from '#platform/db/db.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import { applyAnswers } from '../apply-answers.ts'
import type { Tally } from '../counters/tally.ts'
import type { StoredResponse } from '../rows.ts'
import { loadQuestions } from '../scope.ts'
import type { SentAnswer } from '../sent-answer.ts'
import type { AnswersOfRecord } from '../stored-answers.ts'

type SplitChanges = {
  readonly dataset_no: number
  /** The user who changes the labels. */
  readonly actor: string
  /** The schema version in which labels are split. Null if the split is reverted. */
  readonly splitIn: number | null
  /** All answers to some records, by `seq`. The caller has locked the records. */
  readonly stored: ReadonlyMap<number, AnswersOfRecord>
  /** Returns the changed answer; null if the answer doesn't change. */
  readonly changeOf: (answer: StoredResponse) => SentAnswer | null
  readonly tally: Tally
}

/**
 * Changes answers because a label was split: the answers are returned to their authors. If the split is reverted, the answers are
 * submitted again. The answers get new versions, as with any other change. @returns the IDs of the changed answers
 */
export const changeSplitAnswers = async (
  db: Db,
  { dataset_no, actor, splitIn, stored, changeOf, tally }: SplitChanges,
): Promise<ReadonlySet<string>> => {
  const found = [...stored].flatMap(([seq, { responses }]) =>
    [...responses.values()].flatMap((answer) => {
      const after = changeOf(answer)
      return after === null ? [] : [{ seq, answer, after }]
    }),
  )
  if (found.length === 0) return new Set()
  const seqs = found.map(({ seq }) => seq)
  const [dataset, records, questions] = await pipeline([
    db.sql.selectFrom('datasets').select(['no', 'min_submitted']).where('no', '=', dataset_no).executeTakeFirstOrThrow(),
    db.sql
      .selectFrom('records')
      .select(['id', 'seq', 'status', 'submitted', 'extra_answers'])
      .where('dataset_no', '=', dataset_no)
      .where('seq', 'in', db.dialect.listed(seqs))
      .execute(),
    loadQuestions(db, dataset_no),
  ])
  const bySeq = new Map(records.map((record) => [record.seq, record]))
  const changes = found.map(({ seq, answer, after }) => {
    const record = bySeq.get(seq)
    if (record === undefined) throw new Error(`record ${seq} is not locked`)
    return { record, author: answer.user_id, after, base: answer.version }
  })
  await applyAnswers(db, {
    dataset,
    questions,
    actor,
    changes,
    stored,
    keepsEqual: false,
    activity: { hasWebhooks: true },
    knowsAuthors: true,
    tally,
    ...(splitIn !== null && { mark: { schema_version: splitIn, split: true } }),
  })
  return new Set(found.map(({ answer }) => answer.id))
}
