import { bool, int, json, nullable, text, time, uuid } from './columns.ts'

/** Tables for reviews and snapshots. Part of `tables`. */
export const reviewTables = {
  /** Snapshots of datasets. */
  snapshots: {
    dataset_no: int(),
    id: uuid(),
    name: text(),
    at: time(),
    user_id: uuid(),
    /** The first `seq` that was unused when the snapshot was taken. */
    next_seq: int(),
    /** The fields, questions and metadata properties of the dataset when the snapshot was taken. */
    content: json<{ [key: string]: unknown }>(),
  },
  /** The final answers of records, in wire format except for users and times. One row per reviewed record. */
  gold: {
    dataset_no: int(),
    seq: int(),
    record_id: uuid(),
    values: json<{ [key: string]: unknown }>(),
    /** The number of final answers. */
    answered: int(),
    /** Whether the review is finished. */
    final: bool(),
    /** Whether an answer in `basis` or the record's fields have changed since the final answers were stored. */
    stale: bool(),
    /** The submitted answers that the reviewer has seen: `id:version`, separated by spaces. */
    basis: text(),
    /** Starts at 1 and increases with each change. */
    version: int(),
    last_mutation_id: nullable(text()),
    user_id: uuid(),
    inserted_at: time(),
    updated_at: time(),
  },
  /** Which reviewer a record is reserved for. A record has one reviewer at a time. */
  review_leases: { dataset_no: int(), seq: int(), user_id: uuid(), until: time() },
}
