import type { Migration } from '../migration.ts'

/** Adds connections to models. */
export const modelConnections: Migration = {
  name: '0049-model-connections',
  statements: [
    `CREATE TABLE model_connections (id {uuid} PRIMARY KEY, workspace_id {uuid} NOT NULL, name {text} NOT NULL, base_url {text} NOT NULL,
      model {text} NOT NULL, key_sealed {text}, input_price {real}, output_price {real}, concurrency {int} NOT NULL,
      inserted_at {time} NOT NULL, updated_at {time} NOT NULL) {table}`,
    'CREATE INDEX model_connections_workspace ON model_connections (workspace_id)',
  ],
  only: { sqlite: [], postgres: [] },
}
