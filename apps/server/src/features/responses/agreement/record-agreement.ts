import type { AnswerValue } from '@postil/contract/answer-value.ts'
import type { Db } from '#platform/db/db.ts'
import { indexKey } from '#platform/db/keys/index-keys.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import { preparedForRows } from '#platform/db/statements/prepared.ts'
import type { ResponseStatus, ResponseValues } from '#platform/db/tables.ts'
import { agreementOf, hasAgreement, rememberTexts, type TextOf } from '#question-types/agreement.ts'
import type { ScopeQuestion } from '../scope.ts'
import type { AnswersOfRecord } from '../stored-answers.ts'

/** The agreement of a record's submitted answers, keyed by the index key of the question. */
type Agreements = ReadonlyMap<number, number>

/** @param submitted the values of the record's submitted answers */
export const agreementsOf = (
  questions: readonly ScopeQuestion[],
  submitted: readonly ResponseValues[],
  textOf?: TextOf,
): Agreements => {
  const found = new Map<number, number>()
  if (submitted.length < 2) return found
  for (const { no, name, settings } of questions) {
    const answers = submitted.flatMap((values) => (Object.hasOwn(values, name) ? [values[name]?.value as AnswerValue] : []))
    const agreement = agreementOf(settings, answers, textOf)
    if (agreement !== null) found.set(indexKey(no), agreement)
  }
  return found
}

type Answer = { readonly status: ResponseStatus; readonly values: ResponseValues } | null

/** A record whose answers change. */
type Changed = {
  readonly record: { readonly seq: number }
  readonly stored: AnswersOfRecord
  /** The changed answers by author. `first` is the answer before all changes, and `last` is the current answer. */
  readonly changed: ReadonlyMap<string, { readonly first: Answer; readonly last: Answer }>
}

const submittedIn = (answer: Answer): readonly ResponseValues[] => (answer?.status === 'submitted' ? [answer.values] : [])

/** The submitted values before and after the change. Null if the change affects no submitted answer. */
const submittedValues = ({ stored, changed }: Changed) => {
  const changes = [...changed.values()]
  const isAffected = changes.some(({ first, last }) => first?.status === 'submitted' || last?.status === 'submitted')
  if (!isAffected) return null
  const others = stored.answered.flatMap(({ user_id, values }) => (values === null || changed.has(user_id) ? [] : [values]))
  return {
    before: [...others, ...changes.flatMap(({ first }) => submittedIn(first))],
    after: [...others, ...changes.flatMap(({ last }) => submittedIn(last))],
  }
}

/** Whether a change affects the agreement on a question, because it changes the value of a submitted answer. */
const isAffected = ({ changed }: Changed, name: string): boolean =>
  [...changed.values()].some(({ first, last }) => {
    const [before, after] = [submittedIn(first)[0]?.[name], submittedIn(last)[0]?.[name]]
    return before !== after && JSON.stringify(before) !== JSON.stringify(after)
  })

type Row = { readonly dataset_no: number; readonly seq: number; readonly key: number; readonly number: number }

const putRows = preparedForRows<Row>((db, _, rows) =>
  db.sql
    .insertInto('agreement_numbers')
    .values(rows.map(({ dataset_no, seq, key, number }) => ({ dataset_no, seq, key, number })))
    .onConflict((c) => c.columns(['dataset_no', 'seq', 'key']).doUpdateSet((eb) => ({ number: eb.ref('excluded.number') }))),
)
/** Deletes the agreement on records, for one question or, if `key` is null, for all. */
export const dropAgreement = async (db: Db, datasetNo: number, seqs: readonly number[], key: number | null): Promise<void> => {
  if (seqs.length === 0) return
  const rows = db.sql
    .deleteFrom('agreement_numbers')
    .where('dataset_no', '=', datasetNo)
    .where('seq', 'in', db.dialect.listed(seqs))
  await (key === null ? rows : rows.where('key', '=', key)).execute()
}

/** Stores the agreement on each record whose submitted answers change. Reads nothing. */
export const writeAgreement = async (
  db: Db,
  datasetNo: number,
  questions: readonly ScopeQuestion[],
  records: readonly Changed[],
): Promise<void> => {
  const measured = questions.filter(({ settings }) => hasAgreement(settings))
  const rows: Row[] = []
  const gone = new Map<number, number[]>()
  for (const changed of records) {
    const submitted = submittedValues(changed)
    if (submitted === null) continue
    const { seq } = changed.record
    const affected = measured.filter(({ name }) => isAffected(changed, name))
    const textOf = rememberTexts()
    const before = agreementsOf(affected, submitted.before, textOf)
    const after = agreementsOf(affected, submitted.after, textOf)
    for (const [key, number] of after) if (before.get(key) !== number) rows.push({ dataset_no: datasetNo, seq, key, number })
    for (const key of before.keys()) if (!after.has(key)) gone.set(key, [...(gone.get(key) ?? []), seq])
  }
  await pipeline([putRows(db, rows), ...[...gone].map(([key, seqs]) => dropAgreement(db, datasetNo, seqs, key))])
}
