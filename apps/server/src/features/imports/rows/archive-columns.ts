import type { ImportColumn } from '@postil/contract/files/imports.ts'
import type { SourceRow } from '../inspect/layout.ts'
import { FILE_NAME, FOLDER, IMAGE } from '../unfolding/archive.ts'

/** An archive's rows for display, with images shown by name. */
export const namedImages = (rows: readonly SourceRow[]): readonly SourceRow[] =>
  rows.map((row) =>
    'values' in row && row.values.has(IMAGE)
      ? { ...row, values: new Map([...row.values, [IMAGE, row.values.get(FILE_NAME)]]) }
      : row,
  )

/** Maximum number of folders that are treated as labels. */
const MAX_LABELS = 50

const proposals: { readonly [column: string]: (column: ImportColumn) => ImportColumn['proposal'] } = {
  [IMAGE]: () => ({ role: 'field', type: 'image' }),
  [FILE_NAME]: () => ({ role: 'external_id', type: null }),
  [FOLDER]: ({ values }) => {
    if (values === null || values.length < 2) return null
    return values.length > MAX_LABELS ? { role: 'metadata', type: 'terms' } : { role: 'suggestion', type: 'label_selection' }
  },
}

/** Adds the proposed use of an archive's column: images become fields, file names become IDs, folders become labels. */
export const archiveColumn = (column: ImportColumn): ImportColumn => {
  const propose = proposals[column.name]
  if (propose !== undefined) return { ...column, proposal: propose(column) }
  // File names are the IDs, even if another column looks like an ID column
  return column.proposal?.role === 'external_id' ? { ...column, proposal: { role: 'metadata', type: 'terms' } } : column
}
