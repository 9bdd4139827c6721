import type { AnswerValue } from '@postil/contract/answer-value.ts'
import type { Db } from '#platform/db/db.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import { preparedForRows } from '#platform/db/statements/prepared.ts'
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
  /** The answer whose index rows are currently stored; null if there is none. */
  readonly first: { readonly values: ResponseValues } | null
  /** The answer whose index rows are written; null if it was removed. */
  readonly last: { readonly values: ResponseValues } | null
}

/** Deletes the index rows of one user's answers. */
const deleteFrom = (table: 'response_terms' | 'response_numbers') =>
  preparedForRows<Place>((db, { dataset_no, user_id }, rows) =>
    db.sql
      .deleteFrom(table)
      .where('dataset_no', '=', dataset_no)
      .where(
        'seq',
        'in',
        rows.map(({ seq }) => seq),
      )
      .where('user_id', '=', user_id),
  )
const deleteTerms = deleteFrom('response_terms')
const deleteNumbers = deleteFrom('response_numbers')

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
    const places = own.map(({ seq }) => ({ dataset_no: datasetNo, seq, user_id: author }))
    await pipeline([deleteTerms(db, places), deleteNumbers(db, places)])
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
