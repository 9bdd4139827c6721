import type { ColumnKind } from './columns.ts'

/**
 * Placeholders in a migration's SQL. `{int}`, `{text}` and similar placeholders stand for the engine's types. `{table}` stands
 * for the engine's table options.
 */
export type SchemaDialect = {
  readonly engine: 'sqlite' | 'postgres'
  readonly types: { readonly [K in ColumnKind | 'table' | 'clustered']: string }
}

export type Migration = {
  readonly name: string
  /** Statements for both engines, run before the engine-specific ones. */
  readonly statements: readonly string[]
  readonly only: { readonly [E in SchemaDialect['engine']]: readonly string[] }
}
