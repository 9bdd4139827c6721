import type { LeftOut } from './foreign-formats.ts'

/**
 * Returns the parts of a file that are not imported. This module has no dependencies, so that the web app can bundle it.
 * @param parts the parts that are left out if all annotations are imported as suggestions. Each record then gets the suggestions
 * of only one person
 * @param annotators how the annotations of each person in the file are imported. Empty if all are imported as suggestions
 */
export const leftOutParts = (
  parts: readonly LeftOut[],
  annotators: readonly { readonly as: 'answers' | 'suggestions' | 'nothing' }[],
): readonly LeftOut[] => {
  if (annotators.length === 0) return parts
  const suggesting = annotators.filter(({ as }) => as === 'suggestions').length
  return parts.filter(({ part, reason }) => {
    if (reason === 'rejected' || reason === 'unmapped') return suggesting > 0
    return part !== 'annotations' || reason !== 'further' || suggesting > 1
  })
}
