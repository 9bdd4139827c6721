import type { ModelConnection } from '@postil/contract/model-connections.ts'
import type { Db } from '#platform/db/db.ts'
import type { Micros } from '#platform/time.ts'
import { printTime } from '#platform/time.ts'

/** A stored connection. */
export type ConnectionRow = {
  readonly id: string
  readonly workspace_id: string
  readonly name: string
  readonly base_url: string
  readonly model: string
  readonly key_sealed: string | null
  readonly input_price: number | null
  readonly output_price: number | null
  readonly concurrency: number
  readonly inserted_at: Micros
  readonly updated_at: Micros
}

export const selectConnections = (db: Db) =>
  db.sql
    .selectFrom('model_connections')
    .select(['id', 'workspace_id', 'name', 'base_url', 'model', 'key_sealed'])
    .select(['input_price', 'output_price', 'concurrency', 'inserted_at', 'updated_at'])

export const printConnection = ({ key_sealed, inserted_at, updated_at, ...row }: ConnectionRow): ModelConnection => ({
  ...row,
  has_key: key_sealed !== null,
  inserted_at: printTime(inserted_at),
  updated_at: printTime(updated_at),
})
