import type { ColumnKind } from './columns.ts'

/** What a migration's SQL is made with: `{int}`, `{text}` … stand for the engine's types, `{table}` for its table options. */
export type SchemaDialect = {
  readonly engine: 'sqlite' | 'postgres'
  readonly types: { readonly [K in ColumnKind | 'table' | 'clustered']: string }
}

export type Migration = {
  readonly name: string
  /** Statements for both engines, then those of one engine. */
  readonly statements: readonly string[]
  readonly only: { readonly [E in SchemaDialect['engine']]: readonly string[] }
}
