import { ESCAPE_MARK } from '@postil/contract/files/csv-cell.ts'
import type { ImportColumn } from '@postil/contract/files/imports.ts'
import { parseUuid } from '@postil/contract/wire/scalars.ts'

/** In files that were downloaded from Postil, the columns with the record's ID and its external ID. */
export const RECORD_ID = '_server_id'
export const EXTERNAL_ID = 'id'

/** Whether all of these values are record IDs. */
export const areRecordIds = (values: readonly unknown[]): boolean =>
  values.length > 0 && values.every((value) => typeof value === 'string' && parseUuid(value) !== null)

/** Whether a file was downloaded from a dataset, based on its columns. */
export const isOwnFile = (columns: readonly ImportColumn[]): boolean =>
  columns.some(({ name, samples }) => name === RECORD_ID && areRecordIds(samples))

/** The record columns of every download. */
export const RECORD_COLUMNS: ReadonlySet<string> = new Set([
  EXTERNAL_ID,
  'status',
  'inserted_at',
  'updated_at',
  RECORD_ID,
  ESCAPE_MARK,
])

/** The answer columns of a long-format download. */
const ANSWER_COLUMNS = ['user_id', 'username', 'response.status', 'response.inserted_at', 'response.updated_at']
/** The columns of a question in a wide-format download, except the column of its suggestion. */
const QUESTION_COLUMNS = ['.responses', '.responses.users', '.responses.status', '.suggestion.agent', '.suggestion.score']

/**
 * Columns in wide-format downloads whose values an import can't store. In a file, the question's name precedes each of these
 * names.
 */
export const NOT_IMPORTED = [
  '.responses.outcome',
  '.responses.agent',
  '.responses.path',
  '.agreement',
  '.gold',
  '.gold.source',
  '.gold.user',
  '.gold.path',
]
/** Columns that downloads of earlier versions don't have. */
const NEWER_QUESTION_COLUMNS = ['.responses.usernames', ...NOT_IMPORTED]
const isNewerAnswerColumn = (name: string): boolean =>
  ['suggestion_outcome.', 'suggestion_agent.', 'label_path.'].some((start) => name.startsWith(start))

/**
 * Returns the names of a download's columns that aren't mapped to a field, a suggestion or a metadata property:
 * - the IDs, statuses and times of records
 * - answers in the wide format
 * - the authors, statuses, times and outcomes of answers
 * - the agents and scores of suggestions
 * - agreement, reviews and final answers
 */
export const answerParts = (names: ReadonlySet<string>): ReadonlySet<string> => {
  const isLong = ANSWER_COLUMNS.every((name) => names.has(name))
  const questions = [...names]
    .filter((name) => name.endsWith('.responses.users'))
    .map((name) => name.slice(0, -'.responses.users'.length))
    .filter((question) => QUESTION_COLUMNS.every((end) => names.has(`${question}${end}`)))
  const ofQuestions = questions.flatMap((question) =>
    [...QUESTION_COLUMNS, ...NEWER_QUESTION_COLUMNS].map((end) => `${question}${end}`),
  )
  const isReviewed = questions.some((question) => names.has(`${question}.gold`))
  const ofAnswers = isLong ? [...ANSWER_COLUMNS, ...[...names].filter(isNewerAnswerColumn)] : []
  return new Set([...RECORD_COLUMNS, ...ofAnswers, ...ofQuestions, ...(isReviewed ? ['review.status'] : [])])
}

type Part = 'fields' | 'suggestions' | 'metadata'
export type OwnColumn = { readonly part: Part; readonly target: string }
/**
 * Maps default column names to the names of fields, questions or metadata properties. The real column may have another name, see
 * `columnFor`.
 */
type Bases = ReadonlyMap<string, string>

const basesOf = (names: readonly string[], columnOf: (name: string) => string): Bases =>
  new Map(names.map((name) => [columnOf(name), name]))

/**
 * Returns the name of a part's column in a download. This is `base`, unless another column uses that name. In this case,
 * downloads put the prefix `word` before it, repeatedly if necessary.
 */
const columnFor = (base: string, bases: Bases, word: string, header: ReadonlySet<string>): string => {
  let longer = `${word}${base}`
  while (bases.has(longer)) longer = `${word}${longer}`
  return header.has(longer) ? longer : base
}

/** Maps each column of a download to a part of the dataset, by the naming rules of downloads. */
export const ownColumns = (
  columns: readonly ImportColumn[],
  names: { readonly fields: readonly string[]; readonly questions: readonly string[]; readonly properties: readonly string[] },
): ReadonlyMap<string, OwnColumn> => {
  const header = new Set(columns.map(({ name }) => name))
  const found = new Map<string, OwnColumn>()
  const take = (part: Part, bases: Bases, word: string): void => {
    for (const [base, target] of bases) {
      const column = columnFor(base, bases, word, header)
      if (header.has(column) && !found.has(column) && !RECORD_COLUMNS.has(column)) found.set(column, { part, target })
    }
  }
  // Fields are last, because they are renamed if another column has the same name
  take(
    'suggestions',
    basesOf(names.questions, (name) => `${name}.suggestion`),
    'question.',
  )
  // The answers of a long table
  if (ANSWER_COLUMNS.every((name) => header.has(name)))
    take(
      'suggestions',
      basesOf(names.questions, (name) => `response.${name}`),
      'response.',
    )
  take(
    'metadata',
    basesOf(names.properties, (name) => `metadata.${name}`),
    'metadata.',
  )
  take(
    'fields',
    basesOf(names.fields, (name) => name),
    'field.',
  )
  return found
}
