import type { AnswerValue } from '@postil/contract/answer-value.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import type { Db } from '#platform/db/db.ts'
import { valueKey } from '#platform/db/keys/index-keys.ts'
import { serverMetadataTypes } from '#question-types/metadata.ts'
import { serverQuestionType } from '#question-types/registry.ts'
import type { Bounds, Values } from './atoms.ts'

/** The key of a long text contains at least this many bytes from the start of the text. */
const SURE_BYTES = 196

/** Compares by code points, as both engines do. */
export const compareTexts = (a: string, b: string): number => {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  let at = 0
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1
  if (at === length) return a.length - b.length
  // UTF-16 code units sort like code points, except that surrogates sort before the last code points of the first plane.
  const rank = (unit: number) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)
  return rank(a.charCodeAt(at)) - rank(b.charCodeAt(at))
}

export const isWithin = (text: string, { ge, le }: Bounds<string>): boolean =>
  (ge === null || compareTexts(text, ge) >= 0) && (le === null || compareTexts(text, le) <= 0)

/**
 * A key contains only the beginning of a long text. Comparing the key with a long `text` can therefore be wrong if both begin
 * with the same bytes. Returns this beginning of `text`. Comparisons with all other keys are correct. Returns null if `text` has
 * at most `SURE_BYTES` bytes, because comparisons with every key are then correct.
 */
export const longestSafePrefix = (text: string): string | null => {
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length <= SURE_BYTES) return null
  let end = SURE_BYTES
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.toString('utf8', 0, end)
}

const metadataTerms = async (db: Db, datasetNo: number, seq: number, values: Values): Promise<readonly string[]> => {
  if (values.origin.in !== 'metadata') return []
  const { property } = values.origin
  const row = await db.sql
    .selectFrom('records')
    .select('metadata')
    .where('dataset_no', '=', datasetNo)
    .where('seq', '=', seq)
    .executeTakeFirst()
  return serverMetadataTypes[property.settings.type].terms((row?.metadata?.[property.name] ?? null) as JsonValue)
}

const suggestedTerms = async (db: Db, datasetNo: number, seq: number, values: Values): Promise<readonly string[]> => {
  if (values.origin.in !== 'suggestion') return []
  const { question } = values.origin
  const row = await db.sql
    .selectFrom('suggestions')
    .select(['value', 'agent'])
    .where('dataset_no', '=', datasetNo)
    .where('seq', '=', seq)
    .where('question_no', '=', question.no)
    .executeTakeFirst()
  if (row === undefined) return []
  return [...serverQuestionType(question.settings).terms(row.value as AnswerValue), ...(row.agent === null ? [] : [row.agent])]
}

const answeredTerms = async (db: Db, datasetNo: number, seq: number, values: Values): Promise<readonly string[]> => {
  if (values.origin.in !== 'answer') return []
  const { question } = values.origin
  const rows = await db.sql
    .selectFrom('responses')
    .select('values')
    .where('dataset_no', '=', datasetNo)
    .where('seq', '=', seq)
    .execute()
  const type = serverQuestionType(question.settings)
  return rows.flatMap((row) => {
    const answer = row.values[question.name]
    return answer === undefined ? [] : type.terms(answer.value as AnswerValue)
  })
}

const readTerms = {
  metadata: metadataTerms,
  suggestion: suggestedTerms,
  answer: answeredTerms,
} as const satisfies { readonly [I in Values['origin']['in']]: unknown }

/**
 * Returns the full text of a long text, given its key. Reads the text from the record `seq`. If that record doesn't contain the
 * text, returns the key.
 */
export const textOfKey = async (db: Db, datasetNo: number, values: Values, key: string, seq: number): Promise<string> => {
  const terms = await readTerms[values.origin.in](db, datasetNo, seq, values)
  return terms.find((term) => valueKey(term) === key) ?? key
}
