import type { ColumnType } from 'kysely'
import type { Column } from './columns.ts'
import { blob, bool, int, json, nullable, real, rising, text, time, uuid, vector } from './columns.ts'
import { peopleTables } from './people-tables.ts'

export type { ColumnKind } from './columns.ts'
export type { Role } from './people-tables.ts'

type JsonObject = { [key: string]: unknown }
export type DatasetStatus = 'draft' | 'ready'
export type RecordStatus = 'pending' | 'completed'
/** What a dataset's counters count: records by status, and how often one came back to somebody's queue. */
export type CountKind = RecordStatus | 'reopened'
export type ResponseStatus = 'draft' | 'submitted' | 'discarded'
/** A response's `values` as on the wire. */
export type ResponseValues = { [question: string]: { value: unknown } }
export type JobState = 'queued' | 'started' | 'finished' | 'failed' | 'deferred' | 'scheduled' | 'stopped' | 'canceled'

const times = { inserted_at: time(), updated_at: time() }
const datasetChild = { id: uuid(), dataset_id: uuid(), no: int(), name: text(), title: text(), ...times }

/**
 * All tables, declared once: the TypeScript row types, the codecs (by column name) and the column types for arrays are
 * read from here; the SQL that creates them is in `migrations/`, and a test compares the two.
 *
 * Large tables start their key with `dataset_no`, the small integer that stands for a dataset inside the store (and
 * inside every id, see `platform/ids.ts`); children of a record carry its `seq`, the insertion order in the dataset.
 */
export const tables = {
  /** Named numbers that rise: the next dataset number. */
  counters: { name: text(), n: int() },
  /** Facts about this store, for example the key check value. */
  settings: { name: text(), value_text: text() },

  ...peopleTables,

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
    /** How records are handed out; null: each to whoever asks, in their own order. */
    queue: nullable(json<JsonObject>()),
    /** Set by deletion: the dataset answers 404 and its name is free; a job purges the rows. */
    gone_at: nullable(time()),
    ...times,
  },
  fields: { ...datasetChild, required: bool(), settings: json<JsonObject & { type: string }>() },
  questions: {
    ...datasetChild,
    description: nullable(text()),
    required: bool(),
    settings: json<JsonObject & { type: string }>(),
    /** Hues that were chosen for labels, beside the settings, whose wire has no place for them. */
    colours: nullable(json<{ value: string; hue: number }[]>()),
  },
  metadata_properties: {
    ...datasetChild,
    settings: json<JsonObject & { type: string }>(),
    visible_for_annotators: bool(),
  },
  vector_settings: { ...datasetChild, dimensions: int() },

  /**
   * The row that writers of one dataset queue at: allocates `seq`, `no` and counts content versions. `content_version` rises
   * (by `contentChanged`) with changes of what was there: records changed or deleted, suggestions, vectors; not with new records,
   * which `next_seq` tells of, and not with answers. `text_version` is the version of the tokenizer that the text index is made with;
   * while it is being made again, `text_rebuilt_to` is the last `seq` whose text is in it, otherwise null. From `text_due_from` on, where it is
   * not null, the texts of new records wait for the writer of the embedded store, which puts them in before it does anything else.
   */
  dataset_state: {
    dataset_no: int(),
    next_seq: int(),
    next_no: int(),
    content_version: int(),
    text_version: int(),
    text_rebuilt_to: nullable(int()),
    text_due_from: nullable(int()),
  },
  /** Totals in 16 slots, kept in the transaction of what they count; the sum over the slots is the count. */
  dataset_counts: { dataset_no: int(), slot: int(), kind: text<CountKind>(), n: int() },
  dataset_activity: { dataset_no: int(), slot: int(), last_activity_at: time() },
  /** Who ever answered in the dataset, first first; rows stay when the answer goes. */
  dataset_users: { dataset_no: int(), user_id: uuid(), inserted_at: time() },
  /** Answers of one user by the status of the record and of the answer. */
  user_counts: {
    dataset_no: int(),
    user_id: uuid(),
    record_status: text<RecordStatus>(),
    response_status: text<ResponseStatus>(),
    n: int(),
  },
  /** Records per block of 1,024 `seq`s: an offset in an unfiltered list without walking it. */
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
    /** A fixed random 32-bit number, the base of each annotator's own order. */
    shuffle: int(),
    fields: json<JsonObject>(),
    metadata: nullable(json<JsonObject>()),
    ...times,
  },
  /** What can be filtered, sorted and counted, as narrow typed rows; `key` is made by `indexKey`. */
  record_terms: { dataset_no: int(), key: int(), value_key: text(), seq: int() },
  record_numbers: { dataset_no: int(), key: int(), number: real(), seq: int() },

  responses: {
    dataset_no: int(),
    seq: int(),
    user_id: uuid(),
    id: uuid(),
    record_id: uuid(),
    values: json<ResponseValues>(),
    status: text<ResponseStatus>(),
    /** 1 at creation, one more with each change. */
    version: int(),
    last_mutation_id: nullable(text()),
    ...times,
  },
  response_terms: { dataset_no: int(), key: int(), value_key: text(), seq: int(), user_id: uuid() },
  response_numbers: { dataset_no: int(), key: int(), number: real(), seq: int(), user_id: uuid() },
  response_tombstones: {
    dataset_no: int(),
    id: uuid(),
    seq: int(),
    record_id: uuid(),
    user_id: uuid(),
    version: int(),
    last_mutation_id: nullable(text()),
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
  /** `embedding` is what the engine compares (float32), `raw` the float64 numbers as they were sent. */
  vectors: { dataset_no: int(), setting_no: int(), seq: int(), embedding: vector(), raw: blob(), inserted_at: time() },

  /** How many records of the dataset have the token, for prefixes, fuzzy words and relevance. */
  dataset_tokens: { dataset_no: int(), token: text(), df: int() },

  leases: { dataset_no: int(), seq: int(), user_id: uuid(), until: time() },
  /** Images before a change; a creation has no row, the row itself is version 1. */
  history: {
    dataset_no: int(),
    seq: int(),
    id: uuid(),
    subject: text<'record' | 'response'>(),
    subject_id: uuid(),
    action: text<'update' | 'delete'>(),
    user_id: nullable(uuid()),
    at: time(),
    image: json<JsonObject>(),
  },

  /** Named addresses of the annotation screen, `query` as the page prints it. */
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
   * Events that an enabled webhook wants, written in the transaction that causes them; what was delivered or given up stays as the
   * webhook's log.
   */
  outbox: {
    /** Rises in the order in which transactions about one subject commit, also where several processes with clocks of their own write. */
    no: rising(),
    id: uuid(),
    webhook_id: uuid(),
    dataset_no: int(),
    /** Deliveries with the same subject go out in order. */
    subject_id: uuid(),
    event: text(),
    at: time(),
    payload: json<JsonObject>(),
    state: text<'waiting' | 'held' | 'delivered' | 'given_up'>(),
    attempts: int(),
    available_at: time(),
    /** Of the last attempt. */
    attempted_at: nullable(time()),
    http_status: nullable(int()),
    duration_ms: nullable(int()),
    error: nullable(text()),
  },
  /** Uploaded files with records. The bytes lie in a folder under the row's id, until the import has ended or a day is over. */
  imports: {
    id: uuid(),
    dataset_no: int(),
    user_id: uuid(),
    name: text(),
    /** How the bytes are read: the format, names of columns, what separates them, where the first row begins. */
    layout: json<JsonObject>(),
    size: int(),
    job_id: nullable(uuid()),
    inserted_at: time(),
    /** The format of a file that has not arrived whole yet, and has no layout therefore; null once it has. */
    arriving: nullable(text()),
  },
  /** Rows that could not become records. */
  import_faults: {
    import_id: uuid(),
    dataset_no: int(),
    row_no: int(),
    line_no: int(),
    column_name: nullable(text()),
    fault: text(),
  },
  /** Records that a job answers, some in each row: settled when it begins. */
  bulk_answer_parts: {
    job_id: uuid(),
    part_no: int(),
    dataset_no: int(),
    /** `seq:version` with commas between them: records, and the version that their author's answer had (0: none). Of a job that takes back `seq:version:to`. */
    records: text(),
    /** What became of those whose answer was not stored, and versions that cannot be known otherwise; null before their turn. */
    outcomes: nullable(json<JsonObject>()),
  },
  jobs: {
    id: uuid(),
    kind: text(),
    dataset_no: nullable(int()),
    user_id: nullable(uuid()),
    args: json<JsonObject>(),
    /** What only the job may know, sealed with the store's secret; null from its end on. */
    sealed: nullable(text()),
    state: text<JobState>(),
    done: int(),
    total: nullable(int()),
    reason: nullable(text()),
    attempts: int(),
    /** When it may be taken (again): a held job is free once this has passed. */
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
