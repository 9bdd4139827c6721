import type { ImportColumn } from '@postil/contract/files/imports.ts'
import { kindOf } from '#platform/parquet/cells.ts'

/** Feature types that determine a column's role, regardless of its first rows. */
const proposalsByFeature: { readonly [type: string]: (depth: number) => ImportColumn['proposal'] } = {
  ClassLabel: (depth) => ({ role: 'suggestion', type: depth === 0 ? 'label_selection' : 'multi_label_selection' }),
  Image: (depth) => (depth === 0 ? { role: 'field', type: 'image' } : null),
}

/**
 * Refines a column's proposal with the Hugging Face type (`feature`) that the file declares for the column. For example, a column
 * of type `Image` becomes an image field.
 */
export const withFeatureProposal = (column: ImportColumn, feature: unknown): ImportColumn => {
  const { type, depth, names } = kindOf(feature)
  const proposal = proposalsByFeature[type ?? '']?.(depth)
  if (proposal === undefined) return column
  return { ...column, proposal, values: names.length > 0 ? [...names] : column.values }
}
