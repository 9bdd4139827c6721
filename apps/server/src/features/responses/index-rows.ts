import type { AnswerValue } from '@postil/contract/answer-value.ts'
import type { Db } from '#platform/db/db.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import type { ResponseValues } from '#platform/db/tables.ts'
import { answerIndexRows } from '#question-types/index-rows.ts'
import type { ScopeQuestion } from './scope.ts'

type Place = { readonly dataset_no: number; readonly seq: number; readonly user_id: string }
export type TermRow = Place & { readonly key: number; readonly value_key: string }
export type NumberRow = Place & { readonly key: number; readonly number: number }

/** Returns the index rows that are used to filter, sort and count records by an answer's values. */
export const indexRowsOf = (
  place: Place,
  questions: readonly ScopeQuestion[],
  values: ResponseValues,
): { readonly terms: readonly TermRow[]; readonly numbers: readonly NumberRow[] } => {
  const terms: TermRow[] = []
  const numbers: NumberRow[] = []
  for (const question of questions) {
    if (!Object.hasOwn(values, question.name)) continue
    const rows = answerIndexRows(question, values[question.name]?.value as AnswerValue)
    terms.push(...rows.terms.map((row) => ({ ...place, ...row })))
    numbers.push(...rows.numbers.map((row) => ({ ...place, ...row })))
  }
  return { terms, numbers }
}

export type ReindexedAnswer = {
  readonly seq: number
  readonly user_id: string
  /** False for an answer that this command created, which has no rows yet. */
  readonly existed: boolean
  /** `{}` for a deleted answer. */
  readonly values: ResponseValues
}

/** Replaces answers' index rows. */
export const replaceIndexRows = async (
  db: Db,
  datasetNo: number,
  questions: readonly ScopeQuestion[],
  answers: readonly ReindexedAnswer[],
): Promise<void> => {
  await pipeline(
    answers
      .filter(({ existed }) => existed)
      .flatMap(({ seq, user_id }) =>
        (['response_terms', 'response_numbers'] as const).map((table) =>
          db.sql
            .deleteFrom(table)
            .where('dataset_no', '=', datasetNo)
            .where('seq', '=', seq)
            .where('user_id', '=', user_id)
            .execute(),
        ),
      ),
  )
  const rows = answers.map(({ seq, user_id, values }) => indexRowsOf({ dataset_no: datasetNo, seq, user_id }, questions, values))
  const terms = rows.flatMap((row) => row.terms)
  const numbers = rows.flatMap((row) => row.numbers)
  await pipeline([
    db.dialect.insertMany(db.sql, 'response_terms', terms),
    db.dialect.insertMany(db.sql, 'response_numbers', numbers),
  ])
}

/** Removes the index rows of all answers to some records. */
export const deleteIndexRows = async (db: Db, datasetNo: number, seqs: readonly number[]): Promise<void> => {
  if (seqs.length === 0) return
  for (const table of ['response_terms', 'response_numbers'] as const) {
    await db.sql.deleteFrom(table).where('dataset_no', '=', datasetNo).where('seq', 'in', seqs).execute()
  }
}
