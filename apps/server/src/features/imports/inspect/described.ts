import type { ImportColumn } from '@postil/contract/files/imports.ts'
import { kindOf } from '#platform/parquet/cells.ts'

/** Kinds of columns that say what they are made for, whatever is in the first rows. */
const byFeature: { readonly [type: string]: (depth: number) => ImportColumn['proposal'] } = {
  ClassLabel: (depth) => ({ role: 'suggestion', type: depth === 0 ? 'label_selection' : 'multi_label_selection' }),
  Image: (depth) => (depth === 0 ? { role: 'field', type: 'image' } : null),
}

/** A column that looks the same and says more of itself. */
export const described = (column: ImportColumn, feature: unknown): ImportColumn => {
  const { type, depth, names } = kindOf(feature)
  const proposal = byFeature[type ?? '']?.(depth)
  if (proposal === undefined) return column
  return { ...column, proposal, values: names.length > 0 ? [...names] : column.values }
}
