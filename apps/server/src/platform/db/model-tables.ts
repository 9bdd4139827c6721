import type { ModelValues } from '@postil/contract/model-runs.ts'
import type { ReasonPart } from '@postil/contract/wire/reason-part.ts'
import { bool, int, json, nullable, real, text, time, uuid } from './columns.ts'

/** Tables for models that make suggestions. Part of `tables`. */
export const modelTables = {
  model_connections: {
    id: uuid(),
    workspace_id: uuid(),
    name: text(),
    base_url: text(),
    model: text(),
    /** Null if the endpoint needs no key. */
    key_sealed: nullable(text()),
    /** Prices of a million tokens. */
    input_price: nullable(real()),
    output_price: nullable(real()),
    /** How many requests a run sends at the same time. */
    concurrency: int(),
    inserted_at: time(),
    updated_at: time(),
  },
  model_runs: {
    id: uuid(),
    dataset_no: int(),
    connection_id: uuid(),
    user_id: uuid(),
    name: text(),
    version: int(),
    model: text(),
    /** How the run asks its model: see `RunSetup`. */
    setup: json(),
    input_price: nullable(real()),
    output_price: nullable(real()),
    spend_cap: nullable(real()),
    dry_run: bool(),
    /** Comma-separated `seq`s of the records to ask about. Determined when the run starts. */
    records: text(),
    /** How many records the search has found. */
    found: int(),
    total: int(),
    /** `answered` and `failed` also count records that were deleted after the model was asked about them. */
    answered: int(),
    failed: int(),
    /** Tokens used by all requests, including requests for records without an answer. */
    input_tokens: int(),
    output_tokens: int(),
    /** How the run ended. Null while its job runs. */
    outcome: nullable(text<'finished' | 'paused' | 'failed' | 'canceled'>()),
    reason: nullable(text()),
    reason_parts: nullable(json<readonly ReasonPart[]>()),
    /** The latest job: asking, publishing or undoing. */
    job_id: uuid(),
    published_at: nullable(time()),
    /** How often the run was compared with people on the test half of the records. */
    test_looks: int(),
    inserted_at: time(),
    updated_at: time(),
  },
  /** What a model has answered about a record. */
  run_items: {
    dataset_no: int(),
    run_id: uuid(),
    seq: int(),
    record_id: uuid(),
    /** Null if there is no valid answer. */
    results: nullable(json<ModelValues>()),
    rationale: nullable(text()),
    reason: nullable(text()),
    reason_parts: nullable(json<readonly ReasonPart[]>()),
    input_tokens: int(),
    output_tokens: int(),
    ms: int(),
    /** The suggestions that publishing has replaced, keyed by question name. Null if nothing is published. */
    earlier: nullable(json()),
  },
}
