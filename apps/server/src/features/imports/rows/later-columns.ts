import { type FileMapping, maxLaterColumns } from '@postil/contract/files/imports.ts'
import type { Layout, SourceRow } from '../inspect/layout.ts'
import { sourcesOf } from './mapping.ts'

/** Adds column names, up to the maximum number that is reported. */
export const withLaterColumns = (known: readonly string[] = [], found: readonly string[] = []): readonly string[] =>
  [...new Set([...known, ...found])].slice(0, maxLaterColumns)

/**
 * Returns the columns that have a value in these rows but occur in neither the preview nor the mapping. Such columns exist for
 * two reasons: the preview reads only the first rows of a large file, and in some formats each row names its own columns.
 */
export const laterColumns = (rows: readonly SourceRow[], { columns }: Layout, mapping: FileMapping): readonly string[] => {
  if (columns === undefined) return []
  const known = new Set([...columns, ...sourcesOf(mapping)])
  const later = new Set<string>()
  for (const source of rows) {
    if ('fault' in source) continue
    if (source.converted) for (const name of source.converted.later) later.add(name)
    else for (const [name, value] of source.values) if (value !== null && !known.has(name)) later.add(name)
  }
  return withLaterColumns([...later])
}
