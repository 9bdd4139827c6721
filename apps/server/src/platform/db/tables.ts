import type { Shown } from '@postil/contract/comparison-sides.ts'
import type { Returned } from '@postil/contract/responses.ts'
import type { SuggestionOutcomes } from '@postil/contract/suggestion-use.ts'
import type { ReasonPart } from '@postil/contract/wire/reason-part.ts'
import type { ColumnType } from 'kysely'
import type { Column } from './columns.ts'
import { blob, bool, defaulted, int, json, nullable, real, rising, text, time, uuid, vector } from './columns.ts'
import { commentTables } from './comment-tables.ts'
import { modelTables } from './model-tables.ts'
import { peopleTables } from './people-tables.ts'
import { reviewTables } from './review-tables.ts'
import { testItemTables } from './test-item-tables.ts'

export type { ColumnKind } from './columns.ts'
export type { Role } from './people-tables.ts'

type JsonObject = { [key: string]: unknown }
export type DatasetStatus = 'draft' | 'ready'
export type RecordStatus = 'pending' | 'completed'
/** What a counter counts: records with a status, their extra answers, or how often a record returned to a user's queue. */
export type CountKind = RecordStatus | `extra_${RecordStatus}` | 'reopened'
export type ResponseStatus = 'draft' | 'submitted' | 'discarded'
/**
 * What the author of an answer saw of the suggestions. `blind`: nothing, because the record was in the blind share. `hidden`:
 * nothing, because of the dataset's settings. `after`: everything, but only after submitting an earlier version without seeing
 * suggestions.
 */
export type SuggestionView = 'blind' | 'hidden' | 'after'
/** A response's `values` in wire format. */
export type ResponseValues = { [question: string]: { value: unknown } }
export type JobState = 'queued' | 'started' | 'finished' | 'failed' | 'deferred' | 'scheduled' | 'stopped' | 'canceled'

const times = { inserted_at: time(), updated_at: time() }
const datasetChild = { id: uuid(), dataset_id: uuid(), no: int(), name: text(), title: text(), ...times }

/**
 * All tables, declared once. The TypeScript row types, the codecs (by column name) and the array column types are derived from
 * them. The SQL that creates the tables is in `migrations/`; a test compares the two.
 *
 * Keys of large tables start with `dataset_no`, the small integer that identifies a dataset inside the store (and inside every
 * ID, see `platform/ids.ts`). Rows that belong to a record contain its `seq`, the record's insertion order in the dataset.
 */
export const tables = {
  /** Named counters, for example the number that the last new dataset got. */
  counters: { name: text(), n: int() },
  /** Facts about this store, such as the check value of its secret. */
  settings: { name: text(), value_text: text() },

  ...peopleTables,
  ...commentTables,
  ...modelTables,
  ...reviewTables,
  ...testItemTables,

  datasets: {
    id: uuid(),
    no: int(),
    workspace_id: uuid(),
    name: text(),
    guidelines: nullable(text()),
    allow_extra_metadata: bool(),
    status: text<DatasetStatus>(),
    min_submitted: int(),
    metadata: nullable(json<JsonObject>()),
    /** How records are assigned. Null: each user gets any pending record, in insertion order. */
    queue: nullable(json<JsonObject>()),
    /** Which records are reviewed and by whom. Null: none. */
    review: nullable(json<JsonObject>()),
    /** Whether searches for words ignore accents. */
    ignores_accents: bool(),
    /** When annotators see suggestions. Null: always. */
    suggestion_rule: nullable(json<JsonObject>()),
    /** Whether owners and admins see the active time of other people. */
    shows_active_time: bool(),
    /** When the dataset was deleted. Requests for it return 404, and its name can be used again. A job deletes the rows. */
    gone_at: nullable(time()),
    ...times,
  },
  fields: { ...datasetChild, required: bool(), settings: json<JsonObject & { type: string }>() },
  questions: {
    ...datasetChild,
    description: nullable(text()),
    required: bool(),
    settings: json<JsonObject & { type: string }>(),
    /** The condition under which the question is shown. Null if the question is always shown. */
    shown_when: nullable(json<JsonObject>()),
    /** Hues chosen for labels. They are not part of the settings, because the settings' wire format has no field for them. */
    colours: nullable(json<{ value: string; hue: number }[]>()),
  },
  metadata_properties: {
    ...datasetChild,
    settings: json<JsonObject & { type: string }>(),
    visible_for_annotators: bool(),
  },
  vector_settings: { ...datasetChild, dimensions: int() },
  /** Label changes, numbered in each dataset. Append-only. */
  schema_versions: {
    dataset_no: int(),
    no: int(),
    at: time(),
    user_id: uuid(),
    note: nullable(text()),
    /** In wire format. */
    changes: json<JsonObject[]>(),
    /** The labels of each changed question before and after the changes, and which labels were renamed. */
    snapshot: json<JsonObject[]>(),
    job_id: nullable(uuid()),
  },

  /** For each user, the latest version of the guidelines and descriptions that the user has confirmed having seen. */
  seen_versions: { dataset_no: int(), user_id: uuid(), version_no: int() },

  /**
   * The row that a dataset's writers lock. It allocates `seq` and `no`, and counts content versions.
   * - `content_version` increases (through `contentChanged`) when existing records, their suggestions or their vectors change or
   *   are deleted. It doesn't increase for answers or new records. `next_seq` reveals new records.
   * - `text_version` is the text index's tokenizer version.
   * - `text_rebuilt_to` is the last indexed `seq` during a rebuild of the text index. Otherwise, it is null.
   * - `text_due_from` is the first `seq` whose texts are not indexed yet, or null. If it isn't null, the embedded database's
   *   writer indexes these texts before it does anything else.
   * - `agreement_filled_to` is the last `seq` for which `agreement_numbers` is complete. Null: it is complete for all records.
   * - `assignments_version` increases (through `assignmentsChanged`) when assignments change. It is 0 before the first one.
   */
  dataset_state: {
    dataset_no: int(),
    next_seq: int(),
    next_no: int(),
    content_version: int(),
    text_version: int(),
    text_rebuilt_to: nullable(int()),
    text_due_from: nullable(int()),
    agreement_filled_to: nullable(int()),
    assignments_version: int(),
  },
  /** Each count is the sum of 16 rows (slots), which are updated in the transaction that changes what they count. */
  dataset_counts: { dataset_no: int(), slot: int(), kind: text<CountKind>(), n: int() },
  dataset_activity: { dataset_no: int(), slot: int(), last_activity_at: time() },
  /** Which records have changed, in 256 slots, so that cached search results can be updated. See `record-changes.ts`. */
  change_counts: { dataset_no: int(), slot: int(), last_change: int() },
  record_changes: { dataset_no: int(), slot: int(), change: int(), seq: int() },
  /** Users who have ever answered in the dataset, oldest first. Rows are kept even after the answers are deleted. */
  dataset_users: { dataset_no: int(), user_id: uuid(), inserted_at: time() },
  /** The number of a user's answers for each combination of record status and answer status. */
  user_counts: {
    dataset_no: int(),
    user_id: uuid(),
    record_status: text<RecordStatus>(),
    response_status: text<ResponseStatus>(),
    n: int(),
  },
  /** Number of records per block of 1,024 `seq`s, used to find an offset in an unfiltered list without scanning it. */
  record_blocks: { dataset_no: int(), block: int(), n: int() },
  records: {
    dataset_no: int(),
    id: uuid(),
    seq: int(),
    external_id: nullable(text()),
    external_key: nullable(text()),
    status: text<RecordStatus>(),
    /** Number of submitted responses. */
    submitted: int(),
    /** Number of responses that leads have requested in addition to the dataset's minimum. */
    extra_answers: defaulted(int()),
    /** A fixed random 32-bit number. Each annotator's own order of the records is derived from these numbers. */
    shuffle: int(),
    fields: json<JsonObject>(),
    metadata: nullable(json<JsonObject>()),
    ...times,
  },
  /** An index for filtering, sorting and counting, with one row for each value. `key` comes from `indexKey`. */
  record_terms: { dataset_no: int(), key: int(), value_key: text(), seq: int() },
  record_numbers: { dataset_no: int(), key: int(), number: real(), seq: int() },
  responses: {
    dataset_no: int(),
    seq: int(),
    user_id: uuid(),
    id: uuid(),
    record_id: uuid(),
    values: json<ResponseValues>(),
    /** Null if unknown. Equal outcomes have equal JSON, so that they can be counted. */
    suggestion_outcomes: nullable(json<SuggestionOutcomes>()),
    /** The order in which the author saw compared fields. Null if no fields were compared or if the order is unknown. */
    shown: nullable(json<Shown>()),
    /** What the author saw of the suggestions. Null if no suggestions were hidden from the author. See `SuggestionView`. */
    suggestion_view: nullable(text<SuggestionView>()),
    /** Null unless the answer was returned to its author, by a reviewer or because of a split label, and is still a draft. */
    returned: nullable(json<Returned>()),
    status: text<ResponseStatus>(),
    /** The author's active time in milliseconds, summed over all versions. Null if no client has sent it. */
    active_ms: nullable(int()),
    /** Starts at 1 and increases with each change. */
    version: int(),
    last_mutation_id: nullable(text()),
    ...times,
  },
  response_terms: { dataset_no: int(), key: int(), value_key: text(), seq: int(), user_id: uuid() },
  response_numbers: { dataset_no: int(), key: int(), number: real(), seq: int(), user_id: uuid() },
  /**
   * The agreement of a record's submitted answers to a question. `key` comes from `indexKey`. A record with fewer than two
   * answers to the question has no row. `reviewed`: the record's review is finished, so the review queue leaves the row out. Rows
   * that are added after the review might not be marked as reviewed.
   */
  agreement_numbers: { dataset_no: int(), seq: int(), key: int(), number: real(), reviewed: defaulted(bool()) },
  response_tombstones: {
    dataset_no: int(),
    id: uuid(),
    seq: int(),
    record_id: uuid(),
    user_id: uuid(),
    version: int(),
    last_mutation_id: nullable(text()),
    active_ms: nullable(int()),
    deleted_at: time(),
  },

  suggestions: {
    dataset_no: int(),
    seq: int(),
    question_no: int(),
    id: uuid(),
    type: nullable(text<'model' | 'human'>()),
    value: json(),
    agent: nullable(text()),
    score: nullable(json<number | number[]>()),
    ...times,
  },
  /** `embedding` is what the engine compares (float32). `raw` holds the original float64 numbers. */
  vectors: { dataset_no: int(), setting_no: int(), seq: int(), embedding: vector(), raw: blob(), inserted_at: time() },

  /** Number of the dataset's records that contain the token, used for prefixes, fuzzy words and relevance. */
  dataset_tokens: { dataset_no: int(), token: text(), df: int() },

  leases: { dataset_no: int(), seq: int(), user_id: uuid(), until: time() },
  /** Which people should answer a record. A person to whom nothing is assigned has no rows. */
  assignments: {
    dataset_no: int(),
    seq: int(),
    user_id: uuid(),
    due_at: nullable(time()),
    assigned_by: nullable(uuid()),
    assigned_at: time(),
  },
  /** The state before each change. A new record or answer has no row here, because its own row is version 1. */
  history: {
    dataset_no: int(),
    seq: int(),
    id: uuid(),
    subject: text<'record' | 'response' | 'gold' | 'suggestion' | 'test'>(),
    subject_id: uuid(),
    action: text<'update' | 'delete'>(),
    user_id: nullable(uuid()),
    at: time(),
    image: json<JsonObject>(),
  },

  /** Named URLs of the annotation screen. `query` is the URL's query, without the question mark, as the web app writes it. */
  saved_views: {
    dataset_no: int(),
    id: uuid(),
    user_id: uuid(),
    name: text(),
    query: text(),
    shared: bool(),
    ...times,
  },

  webhooks: {
    id: uuid(),
    url: text(),
    secret_sealed: text(),
    events: json<string[]>(),
    enabled: bool(),
    description: nullable(text()),
    ...times,
  },
  /**
   * Events for enabled webhooks, written in the transaction that caused them. Delivered and abandoned events are kept as the
   * webhook's log. Events that test a webhook have `dataset_no` 0.
   */
  outbox: {
    /** Increases in commit order for events with the same subject, even if processes with different clocks write them. */
    no: rising(),
    id: uuid(),
    webhook_id: uuid(),
    dataset_no: int(),
    /** Deliveries with the same subject are sent in order. */
    subject_id: uuid(),
    event: text(),
    at: time(),
    payload: json<JsonObject>(),
    state: text<'waiting' | 'held' | 'delivered' | 'given_up'>(),
    attempts: int(),
    available_at: time(),
    /** When the last attempt was made. */
    attempted_at: nullable(time()),
    http_status: nullable(int()),
    duration_ms: nullable(int()),
    error: nullable(text()),
  },
  /**
   * Uploaded files with records. A file's contents are in a folder that is named after the ID of the row. They are deleted when
   * the import has ended or after a day.
   */
  imports: {
    id: uuid(),
    dataset_no: int(),
    user_id: uuid(),
    name: text(),
    /** How to read the file: format, column names, separator and first row. */
    layout: json<JsonObject>(),
    size: int(),
    job_id: nullable(uuid()),
    inserted_at: time(),
    /** The format of the file while its upload is incomplete and has no layout. Null afterwards. */
    arriving: nullable(text()),
  },
  /** Rows that could not be imported as records. */
  import_faults: {
    import_id: uuid(),
    dataset_no: int(),
    row_no: int(),
    line_no: int(),
    column_name: nullable(text()),
    fault: text(),
  },
  /** The records whose assignments a job changes. Each row lists several records. The rows are stored when the job begins. */
  assignment_parts: {
    job_id: uuid(),
    part_no: int(),
    dataset_no: int(),
    /** Comma-separated. `seq:person`: a record, and the position of the person who gets it. `seq`: a record for everyone. */
    records: text(),
    /** The changed records with their earlier assignments. Null until the part is processed. */
    stored: nullable(json<JsonObject>()),
  },
  /** The records that a job deletes, several per row. The rows are written when the job begins. */
  deletion_parts: {
    job_id: uuid(),
    part_no: int(),
    dataset_no: int(),
    /** Comma-separated `seq`s. */
    records: text(),
  },
  /** Records for which a job stores final answers. Each row lists several records. The records are chosen when the job begins. */
  gold_parts: {
    job_id: uuid(),
    part_no: int(),
    dataset_no: int(),
    /** Comma-separated `seq`s. */
    records: text(),
  },
  /** Records that a bulk answer job answers, several per row. Determined when the job begins. */
  bulk_answer_parts: {
    job_id: uuid(),
    part_no: int(),
    dataset_no: int(),
    /**
     * Comma-separated `seq:version` pairs: a record, and the version of the user's own answer (0: none). A job that undoes a bulk
     * answer has entries `seq:version:to`: `to` is the version to restore (0: none).
     */
    records: text(),
    /**
     * Contains entries for two kinds of records. Null until the part is processed.
     * - If the answer was not stored, the entry contains the outcome.
     * - If the answer was stored and its version isn't one higher than the version in `records`, the entry contains the version.
     */
    outcomes: nullable(json<JsonObject>()),
  },
  jobs: {
    id: uuid(),
    kind: text(),
    dataset_no: nullable(int()),
    user_id: nullable(uuid()),
    args: json<JsonObject>(),
    /** The job's secret input, sealed with the store's secret; null once the job has ended. */
    sealed: nullable(text()),
    state: text<JobState>(),
    done: int(),
    total: nullable(int()),
    reason: nullable(text()),
    /** `reason` as codes. Null if there is no reason, or if an earlier version of Postil stored the reason. */
    reason_parts: nullable(json<readonly ReasonPart[]>()),
    /** The names of the deleted dataset and of its imported file. Null while the dataset exists. */
    dataset_name: nullable(text()),
    subject: nullable(text()),
    attempts: int(),
    /** When the job may be claimed. For a claimed job, when the claim expires. */
    available_at: time(),
    ...times,
  },
} as const

type TableDeclarations = typeof tables
type Row<T> = {
  [C in keyof T]: T[C] extends Column<infer S, infer I> ? ColumnType<S, I, I> : never
}
export type Tables = { [T in keyof TableDeclarations]: Row<TableDeclarations[T]> }
export type TableName = keyof Tables
