import type { Migration } from '../migration.ts'

export const modelRuns: Migration = {
  name: '0050-model-runs',
  statements: [
    `CREATE TABLE model_runs (id {uuid} PRIMARY KEY, dataset_no {int} NOT NULL, connection_id {uuid} NOT NULL, user_id {uuid} NOT NULL,
      name {text} NOT NULL, version {int} NOT NULL, model {text} NOT NULL, setup {json} NOT NULL, input_price {real}, output_price {real},
      spend_cap {real}, dry_run {bool} NOT NULL, records {text} NOT NULL, found {int} NOT NULL, total {int} NOT NULL,
      answered {int} NOT NULL, failed {int} NOT NULL, input_tokens {int} NOT NULL, output_tokens {int} NOT NULL, outcome {text},
      reason {text}, reason_parts {json}, job_id {uuid} NOT NULL, published_at {time}, inserted_at {time} NOT NULL, updated_at {time} NOT NULL) {table}`,
    'CREATE INDEX model_runs_dataset ON model_runs (dataset_no)',
    `CREATE TABLE run_items (dataset_no {int} NOT NULL, run_id {uuid} NOT NULL, seq {int} NOT NULL, record_id {uuid} NOT NULL,
      results {json}, rationale {text}, reason {text}, reason_parts {json}, input_tokens {int} NOT NULL, output_tokens {int} NOT NULL,
      ms {int} NOT NULL, earlier {json}, PRIMARY KEY (dataset_no, run_id, seq)) {clustered}`,
    'CREATE INDEX run_items_record ON run_items (dataset_no, seq)',
  ],
  only: { sqlite: [], postgres: [] },
}
