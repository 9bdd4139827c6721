import type { ImportFormat } from '@postil/contract/imports.ts'
import type { Position } from './reading/pieces.ts'

/** How the bytes of an uploaded file are read, settled once when it arrives. */
export type Layout = {
  readonly format: ImportFormat
  /** Of tables: one character of ASCII. */
  readonly delimiter: string
  /** Of tables: names of the columns in their order. */
  readonly header: readonly string[]
  /** Where the first row begins. */
  readonly first: Position
}

/** One row: its values by column, null where there is none, or why it cannot be read. */
export type SourceRow = { readonly row: number; readonly line: number } & (
  | { readonly values: ReadonlyMap<string, unknown> }
  | { readonly fault: string }
)
