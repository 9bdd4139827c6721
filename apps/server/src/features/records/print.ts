import type { AnsweredTest } from '#features/test-items/public.ts'
import { type Micros, printTime } from '#platform/time.ts'
import type { StoredRecord } from './rows/stored-record.ts'
import type { SuggestionRow } from './rows/suggestion-rows.ts'

/* Wire JSON is assembled from stored JSON, without parsing and serializing it again. The output must match the contract's
   schemas; in tests every response is checked against them. */

const text = (value: string | null): string => (value === null ? 'null' : JSON.stringify(value))
/** Prints the schema version under which something was stored. Version 0 is left out. */
const version = (no: number): string => (no === 0 ? '' : `"schema_version":${no},`)
const times = (inserted: Micros, updated: Micros): string =>
  `"inserted_at":"${printTime(inserted)}","updated_at":"${printTime(updated)}"`

/** Prints the parts of a record that come from the client, as JSON members. Each is followed by a comma. */
export const printContent = ({
  fields_json,
  metadata_json,
  external_id,
}: Pick<StoredRecord, 'fields_json' | 'metadata_json' | 'external_id'>): string =>
  `"fields":${fields_json},"metadata":${metadata_json},"external_id":${text(external_id)},`

/**
 * The JSON of the parts of a record that are included only on request. The JSON of lists and objects lacks the outer brackets or
 * braces. `gold` is complete JSON.
 */
export type PrintedParts = {
  readonly responses?: string
  readonly suggestions?: string
  readonly vectors?: string
  readonly agreement?: string
  readonly gold?: string
  readonly comments?: string
  readonly tests?: string
}

const printParts = ({ responses, suggestions, vectors, agreement, gold, comments, tests }: PrintedParts): string =>
  (responses === undefined ? '' : `"responses":[${responses}],`) +
  (suggestions === undefined ? '' : `"suggestions":[${suggestions}],`) +
  (vectors === undefined ? '' : `"vectors":{${vectors}},`) +
  (agreement === undefined ? '' : `"agreement":{${agreement}},`) +
  (gold === undefined ? '' : `"gold":${gold},`) +
  (comments === undefined ? '' : `"comments":[${comments}],`) +
  (tests === undefined ? '' : `"tests":[${tests}],`)

/** @param content output of `printContent` */
export const printRecord = (
  record: Pick<StoredRecord, 'id' | 'status' | 'extra_answers' | 'inserted_at' | 'updated_at'>,
  content: string,
  { datasetId, parts }: { readonly datasetId: string; readonly parts: PrintedParts },
): string =>
  `{"id":"${record.id}","status":"${record.status}",${content}${printParts(parts)}` +
  (record.extra_answers > 0 ? `"extra_answers":${record.extra_answers},` : '') +
  `"dataset_id":"${datasetId}",${times(record.inserted_at, record.updated_at)}}`

/** Prints the suggestion keys that a client sends, each followed by a comma. */
export const printSuggestionContent = (
  { type, value_json, agent, score_json }: Pick<SuggestionRow, 'type' | 'value_json' | 'agent' | 'score_json'>,
  questionId: string,
): string =>
  `"question_id":"${questionId}","type":${text(type)},"value":${value_json},"agent":${text(agent)},"score":${score_json},`

/** @param content output of `printSuggestionContent` */
export const printSuggestion = (
  row: Pick<SuggestionRow, 'id' | 'inserted_at' | 'updated_at'>,
  content: string,
  schemaVersion = 0,
): string => `{"id":"${row.id}",${content}${version(schemaVersion)}${times(row.inserted_at, row.updated_at)}}`

export type ResponseText = {
  readonly seq: number
  readonly id: string
  readonly record_id: string
  readonly user_id: string
  readonly values_json: string
  readonly outcomes_json: string | null
  readonly returned_json: string | null
  readonly shown_json: string | null
  readonly status: string
  readonly version: number
  readonly inserted_at: Micros
  readonly updated_at: Micros
}

export const printResponseText = (row: ResponseText, schemaVersion: number): string =>
  `{"id":"${row.id}","values":${row.values_json},"status":"${row.status}","record_id":"${row.record_id}","user_id":"${row.user_id}",` +
  `"version":${row.version},"suggestion_outcomes":${row.outcomes_json},"returned":${row.returned_json},` +
  `${row.shown_json === null ? '' : `"shown":${row.shown_json},`}` +
  `${version(schemaVersion)}${times(row.inserted_at, row.updated_at)}}`

export const printTestAsResponse = (test: AnsweredTest, schemaVersion: number): string =>
  `{"id":"${test.id}","values":${JSON.stringify(test.values)},"status":"${test.status}","record_id":"${test.record_id}",` +
  `"user_id":"${test.user_id}","version":${test.version},"suggestion_outcomes":${JSON.stringify(test.suggestion_outcomes)},` +
  `"returned":null,${version(schemaVersion)}${times(test.inserted_at, test.updated_at)}}`

export const printTest = ({ user_id, values, status, rightness, inserted_at, updated_at }: AnsweredTest): string =>
  `{"user_id":"${user_id}","values":${JSON.stringify(values)},"status":"${status}","score":${JSON.stringify(rightness)},` +
  `${times(inserted_at, updated_at)}}`

export const printVector = (name: string, numbers: Float64Array): string => `${JSON.stringify(name)}:[${numbers.join(',')}]`
