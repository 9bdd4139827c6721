import { setImmediate } from 'node:timers/promises'
import type { JsonObject } from '@postil/contract/wire/json.ts'
import type { Include } from '@postil/contract/wire/query-lists.ts'
import { commentsOfRecords, printComment, type StoredComment, usersOfComment } from '#features/comments/public.ts'
import { versionsByTime } from '#features/datasets/public.ts'
import { goldOfRecords, printGold, printPublished, publisherOf, usernamesOf, usersIn } from '#features/gold/public.ts'
import { metadataPropertyRows, questionRows, vectorSettingsRows } from '#features/schema/public.ts'
import { hidingRule, type SuggestionRule, shownSuggestions } from '#features/suggestion-visibility/public.ts'
import { isAnswered, type StoredTest, shownStatus, testsOfRecords } from '#features/test-items/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { indexKey } from '#platform/db/keys/index-keys.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import type { RecordStatus } from '#platform/db/tables.ts'
import { viewVector } from '#platform/db/vectors/vector-values.ts'
import { recordPolicy } from './policy.ts'
import type { PrintedParts, ResponseText } from './print.ts'
import {
  printContent,
  printRecord,
  printResponseText,
  printSuggestion,
  printSuggestionContent,
  printTest,
  printTestAsResponse,
  printVector,
} from './print.ts'
import { type Place, rowsReader } from './rows/rows-at.ts'
import { recordColumns, type StoredRecord } from './rows/stored-record.ts'
import type { SuggestionRow } from './rows/suggestion-rows.ts'
import { suggestionColumns } from './rows/suggestion-rows.ts'
import type { ScopeDataset } from './scope.ts'

/** The parts of records that a caller can see. */
export type Viewer = {
  /** The only user whose answers are included; null to include the answers of all users. */
  readonly responsesOf: string | null
  /** The names of the metadata that is included; null to include all metadata. */
  readonly metadata: ReadonlySet<string> | null
  /** Whether the caller may see agreement and final answers. Annotators could infer the answers of others from them. */
  readonly insights: boolean
  /** The rule that hides suggestions from the caller. Null if the caller sees all suggestions. */
  readonly hidingRule: SuggestionRule | null
}
export const fullView: Viewer = { responsesOf: null, metadata: null, insights: true, hidingRule: null }

/**
 * Returns the parts of a dataset's records that the user can see. Annotators see their own answers and the metadata that is
 * visible to them.
 * @param own true for routes that return only the caller's own answers, regardless of role
 */
export const viewerOf = async (db: Db, datasetId: string, user: Actor, { own }: { readonly own: boolean }): Promise<Viewer> => {
  if (recordPolicy.seeAll(user)) return own ? { ...fullView, responsesOf: user.id } : fullView
  const [properties, rule] = await pipeline([metadataPropertyRows(db, datasetId), hidingRule(db, datasetId, user)])
  const visible = properties.filter(({ visible_for_annotators }) => visible_for_annotators).map(({ name }) => name)
  return { responsesOf: user.id, metadata: new Set(visible), insights: false, hidingRule: rule }
}

/** Prints the rows as JSON, and joins the rows of each `seq` with commas. Rows that `print` converts to null are left out. */
const printedBySeq = <R extends { readonly seq: number }>(
  rows: readonly R[],
  print: (row: R) => string | null,
): ReadonlyMap<number, string> => {
  const found = new Map<number, string>()
  for (const row of rows) {
    const printed = print(row)
    if (printed === null) continue
    const known = found.get(row.seq)
    found.set(row.seq, known === undefined ? printed : `${known},${printed}`)
  }
  return found
}
/** Joins the printed items of two lists. */
const joined = (...texts: readonly (string | undefined)[]): string => texts.filter((text) => text !== undefined).join(',')

type Printed = ReadonlyMap<number, string> | null

export type Presented = {
  readonly include: Include
  /** The IDs of the record's suggestions, in the order in which the response lists them. Default: creation order. */
  readonly suggestionIds?: readonly string[] | undefined
  /** The viewer's test items, by `seq`, if the calling code has already read them. This saves a statement per page. */
  readonly testSeqs?: ReadonlySet<number> | undefined
}

export type PresentedDataset = Pick<ScopeDataset, 'id' | 'no' | 'review'>

/**
 * The finished reviews that are published as answers, by `seq`. Leaves out records that the publishing user has already answered.
 */
const publishedBySeq = async (
  db: Db,
  dataset: PresentedDataset,
  { dataset_no, seqs }: Place,
  answers: readonly Pick<ResponseText, 'seq' | 'user_id'>[],
): Promise<ReadonlyMap<number, string>> => {
  const publisher = await publisherOf(db, dataset)
  if (publisher === null) return new Map()
  const answered = new Set(answers.flatMap(({ seq, user_id }) => (user_id === publisher ? [seq] : [])))
  const golds = [...(await goldOfRecords(db, dataset_no, seqs))].filter(([seq, { final }]) => final && !answered.has(seq))
  return new Map(golds.map(([seq, gold]) => [seq, printPublished(gold, publisher)]))
}

const answerColumns = [
  'seq',
  'id',
  'record_id',
  'user_id',
  'values as values_json',
  'suggestion_outcomes as outcomes_json',
  'returned as returned_json',
  'shown as shown_json',
  'status',
  'version',
  'inserted_at',
  'updated_at',
] as const
const readAnswers = rowsReader('responses', (query) => query.select(answerColumns).orderBy('inserted_at').orderBy('id'))
const readAnswersOfUser = rowsReader('responses', (query, { user }: { readonly user: string }) =>
  query.select(answerColumns).where('user_id', '=', user).orderBy('inserted_at').orderBy('id'),
)

const printResponses = async (
  db: Db,
  dataset: PresentedDataset,
  place: Place,
  include: Include,
  { responsesOf, insights }: Viewer,
): Promise<Printed> => {
  if (!include.responses) return null
  const [versionAt, rows] = await pipeline([
    versionsByTime(db, dataset.no),
    responsesOf === null ? readAnswers(db, place, {}) : readAnswersOfUser(db, place, { user: responsesOf }),
  ])
  const answers = rows as unknown as readonly ResponseText[]
  const printed = printedBySeq(answers, (row) => printResponseText(row, versionAt(row.updated_at)))
  if (responsesOf !== null || !insights) return printed
  const published = await publishedBySeq(db, dataset, place, answers)
  return new Map([...printed.keys(), ...published.keys()].map((seq) => [seq, joined(printed.get(seq), published.get(seq))]))
}

const readSuggestions = rowsReader('suggestions', (query) => query.select(suggestionColumns).orderBy('inserted_at').orderBy('id'))

const printSuggestions = async (
  db: Db,
  datasetId: string,
  place: Place,
  { include, suggestionIds, viewer: { responsesOf, hidingRule: rule } }: Presented & { readonly viewer: Viewer },
): Promise<Printed> => {
  if (!include.suggestions) return null
  const [questions, versionAt, stored] = await pipeline([
    questionRows(db, datasetId),
    versionsByTime(db, place.dataset_no),
    readSuggestions(db, place, {}),
  ])
  const ids = new Map(questions.map(({ no, id }) => [no, id]))
  const annotator = rule === null || responsesOf === null ? null : { rule, userId: responsesOf }
  const suggestions = stored as unknown as readonly SuggestionRow[]
  const all = await shownSuggestions(db, annotator, { datasetNo: place.dataset_no, suggestions })
  const placeOf = ({ id }: SuggestionRow) => suggestionIds?.indexOf(id) ?? 0
  const rows = suggestionIds === undefined ? all : all.toSorted((a, b) => placeOf(a) - placeOf(b))
  return printedBySeq(rows, (row) => {
    const questionId = ids.get(row.question_no)
    const content = questionId === undefined ? null : printSuggestionContent(row, questionId)
    return content === null ? null : printSuggestion(row, content, versionAt(row.updated_at))
  })
}

/** Number of vector values to print before the thread yields to other work. Printing numbers is slow. */
const VECTORS_PER_QUERY = 50_000

const readVectors = rowsReader('vectors', (query, { settings }: { readonly settings: unknown }, dialect) =>
  query
    .select(['seq', 'setting_no', 'raw'])
    .where('setting_no', 'in', dialect.listedBy(settings))
    .orderBy('inserted_at')
    .orderBy('setting_no'),
)

const printVectors = async (db: Db, datasetId: string, place: Place, { vectors }: Include): Promise<Printed> => {
  if (vectors === 'none') return null
  const settings = await vectorSettingsRows(db, datasetId)
  const requested = settings.filter(({ name }) => vectors === 'all' || vectors.includes(name))
  if (requested.length === 0) return new Map()
  const names = new Map(requested.map(({ no, name }) => [no, name]))
  const rows = await readVectors(db, place, { settings: db.dialect.listValue([...names.keys()]) })
  const printed: { seq: number; text: string }[] = []
  let numbers = 0
  for (const { seq, setting_no, raw } of rows) {
    const values = viewVector(raw)
    printed.push({ seq, text: printVector(names.get(setting_no) ?? '', values) })
    numbers += values.length
    if (numbers > VECTORS_PER_QUERY) {
      numbers = 0
      await setImmediate()
    }
  }
  return printedBySeq(printed, ({ text }) => text)
}

/** Whether every record of a dataset has its agreement. False while a job computes the agreement after an upgrade. */
export const isAgreementFilled = async (db: Db, datasetNo: number): Promise<boolean> => {
  const state = await db.sql
    .selectFrom('dataset_state')
    .select('agreement_filled_to')
    .where('dataset_no', '=', datasetNo)
    .executeTakeFirst()
  return (state?.agreement_filled_to ?? null) === null
}

const readAgreement = rowsReader('agreement_numbers', (query) => query.select(['seq', 'key', 'number']))

/**
 * After an upgrade, returns nothing until every record has its agreement. Otherwise, a missing number would be ambiguous: the
 * answers may not be comparable, or the number may not have been computed yet.
 */
const printAgreements = async (
  db: Db,
  datasetId: string,
  place: Place,
  include: Include,
  { insights }: Viewer,
): Promise<Printed> => {
  if (!include.agreement || !insights) return null
  const [isFilled, questions, rows] = await pipeline([
    isAgreementFilled(db, place.dataset_no),
    questionRows(db, datasetId),
    readAgreement(db, place, {}),
  ])
  if (!isFilled) return null
  const names = new Map(questions.map(({ no, name }) => [indexKey(no), name]))
  // Sorted here instead of in the query. If the query sorted the rows, SQLite would use an index that is ordered by key, and
  // would scan this index from its start.
  const byKey = rows.toSorted((a, b) => a.key - b.key)
  return printedBySeq(byKey, ({ key, number }) => `${JSON.stringify(names.get(key) ?? '')}:${number}`)
}

const printGolds = async (db: Db, { dataset_no, seqs }: Place, include: Include, { insights }: Viewer): Promise<Printed> => {
  if (!include.gold || !insights) return null
  const golds = await goldOfRecords(db, dataset_no, seqs)
  const names = await usernamesOf(db, [...golds.values()].flatMap(usersIn))
  const versionAt = await versionsByTime(db, dataset_no)
  return new Map([...golds].map(([seq, gold]) => [seq, JSON.stringify(printGold(gold, names, versionAt))]))
}

const printComments = async (db: Db, { dataset_no, seqs }: Place, { comments = false }: Include): Promise<Printed> => {
  if (!comments) return null
  const found = await commentsOfRecords(db, dataset_no, seqs)
  const names = await usernamesOf(db, [...found.values()].flat().flatMap(usersOfComment))
  const print = (one: StoredComment) => JSON.stringify(printComment(one, names))
  return new Map([...found].map(([seq, all]) => [seq, all.map(print).join(',')]))
}

const printTests = async (db: Db, { dataset_no, seqs }: Place, { tests = false }: Include): Promise<Printed> => {
  if (!tests) return null
  const found = await testsOfRecords(db, dataset_no, seqs, null)
  return new Map([...found].map(([seq, all]) => [seq, all.filter(isAnswered).map(printTest).join(',')]))
}

type OwnTest = { readonly response: string; readonly status: RecordStatus }

/** Returns, by `seq`, the response and status of the viewer's test items. They look the same as for any other record. */
const ownTests = async (
  db: Db,
  { dataset_no, seqs }: Place,
  { responsesOf }: Viewer,
  testSeqs: Presented['testSeqs'],
): Promise<ReadonlyMap<number, OwnTest>> => {
  const hasTests = testSeqs === undefined || seqs.some((seq) => testSeqs.has(seq))
  const found =
    responsesOf === null || !hasTests
      ? new Map<number, readonly StoredTest[]>()
      : await testsOfRecords(db, dataset_no, seqs, responsesOf)
  if (found.size === 0) return new Map()
  const versionAt = await versionsByTime(db, dataset_no)
  const print = (test: StoredTest): OwnTest =>
    isAnswered(test)
      ? { response: printTestAsResponse(test, versionAt(test.updated_at)), status: shownStatus(test) }
      : { response: '', status: shownStatus(test) }
  return new Map([...found].flatMap(([seq, [test]]) => (test === undefined ? [] : [[seq, print(test)]])))
}

const shownMetadata = (metadata_json: string | null, names: ReadonlySet<string>): string | null => {
  if (metadata_json === null) return null
  const metadata = JSON.parse(metadata_json) as JsonObject
  return JSON.stringify(Object.fromEntries(Object.entries(metadata).filter(([name]) => names.has(name))))
}

const readRecords = rowsReader('records', (query) => query.select(recordColumns))

export type PresentedRecord = { readonly seq: number; readonly text: string }

/**
 * Returns the records as wire JSON, in the order of `seqs`. Missing records are left out. Runs one query per table, regardless of
 * the number of records. The caller must limit the total size of the records.
 */
export const presentRecords = async (
  db: Db,
  dataset: PresentedDataset,
  seqs: readonly number[],
  {
    include,
    viewer,
    suggestionIds,
    testSeqs,
    exact = false,
    inOneBatch,
  }: Presented & { readonly viewer: Viewer } & Pick<Place, 'exact' | 'inOneBatch'>,
): Promise<PresentedRecord[]> => {
  if (seqs.length === 0) return []
  const place: Place = { dataset_no: dataset.no, seqs, exact, ...(inOneBatch && { inOneBatch }) }
  const [rows, responses, suggestions, vectors, agreement, gold, comments, tests, own] = await pipeline([
    readRecords(db, place, {}),
    printResponses(db, dataset, place, include, viewer),
    printSuggestions(db, dataset.id, place, { include, suggestionIds, viewer }),
    printVectors(db, dataset.id, place, include),
    printAgreements(db, dataset.id, place, include, viewer),
    printGolds(db, place, include, viewer),
    printComments(db, place, include),
    printTests(db, place, include),
    ownTests(db, place, viewer, testSeqs),
  ])
  const records = new Map((rows as unknown as readonly StoredRecord[]).map((record) => [record.seq, record]))
  const present = (record: StoredRecord): string => {
    const { seq, metadata_json } = record
    const shown = viewer.metadata === null ? record : { ...record, metadata_json: shownMetadata(metadata_json, viewer.metadata) }
    // A record that needs answers again isn't a test item
    const test = record.status === 'completed' && !responses?.has(seq) ? own.get(seq) : undefined
    const parts: PrintedParts = {
      ...(responses && { responses: responses.get(seq) ?? test?.response ?? '' }),
      ...(suggestions && { suggestions: suggestions.get(seq) ?? '' }),
      ...(vectors && { vectors: vectors.get(seq) ?? '' }),
      ...(agreement && { agreement: agreement.get(seq) ?? '' }),
      ...(gold && { gold: gold.get(seq) ?? 'null' }),
      ...(comments && { comments: comments.get(seq) ?? '' }),
      ...(tests && { tests: tests.get(seq) ?? '' }),
    }
    return printRecord({ ...record, status: test?.status ?? record.status }, printContent(shown), {
      datasetId: dataset.id,
      parts,
    })
  }
  return seqs.flatMap((seq) => {
    const record = records.get(seq)
    return record === undefined ? [] : [{ seq, text: present(record) }]
  })
}
