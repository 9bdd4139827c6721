import { int, nullable, real, text, time, uuid } from './columns.ts'

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
}
