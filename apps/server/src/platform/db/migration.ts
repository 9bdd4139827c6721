import type { ColumnKind } from './columns.ts'

/** Placeholders in a migration's SQL: `{int}`, `{text}` … are the engine's types, `{table}` its table options. */
export type SchemaDialect = {
  readonly engine: 'sqlite' | 'postgres'
  readonly types: { readonly [K in ColumnKind | 'table' | 'clustered']: string }
}

export type Migration = {
  readonly name: string
  /** Statements for both engines, followed by those of one engine. */
  readonly statements: readonly string[]
  readonly only: { readonly [E in SchemaDialect['engine']]: readonly string[] }
}
