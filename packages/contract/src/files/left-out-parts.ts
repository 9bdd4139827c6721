import type { LeftOut } from './foreign-formats.ts'

/**
 * The parts of a file that are not imported. They depend on how the annotations are imported. `parts` lists what is left out if
 * all annotations are imported as suggestions and each record has the suggestions of only one person. This module has no
 * dependencies, so that the web app can bundle it.
 * @param annotators how the annotations of the people in the file are imported. Empty if all are imported as suggestions
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
