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

type ReindexedAnswer = {
  readonly seq: number
  readonly author: string
  /** The answer that has index rows now; null if there is none. */
  readonly first: { readonly values: ResponseValues } | null
  /** The answer whose index rows are written; null if it was removed. */
  readonly last: { readonly values: ResponseValues } | null
}

const SEQS_PER_BATCH = 500

export const replaceIndexRows = async (
  db: Db,
  datasetNo: number,
  questions: readonly ScopeQuestion[],
  answers: readonly ReindexedAnswer[],
): Promise<void> => {
  const replaced = Map.groupBy(
    answers.filter(({ first }) => first !== null),
    ({ author }) => author,
  )
  for (const [author, own] of replaced) {
    for (let from = 0; from < own.length; from += SEQS_PER_BATCH) {
      const seqs = own.slice(from, from + SEQS_PER_BATCH).map(({ seq }) => seq)
      await pipeline(
        (['response_terms', 'response_numbers'] as const).map((table) =>
          db.sql
            .deleteFrom(table)
            .where('dataset_no', '=', datasetNo)
            .where('seq', 'in', seqs)
            .where('user_id', '=', author)
            .execute(),
        ),
      )
    }
  }
  const rows = answers.flatMap(({ seq, author, last }) =>
    last === null ? [] : [indexRowsOf({ dataset_no: datasetNo, seq, user_id: author }, questions, last.values)],
  )
  await pipeline([
    db.dialect.insertMany(
      db.sql,
      'response_terms',
      rows.flatMap(({ terms }) => terms),
    ),
    db.dialect.insertMany(
      db.sql,
      'response_numbers',
      rows.flatMap(({ numbers }) => numbers),
    ),
  ])
}
