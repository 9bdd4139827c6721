import type { LeftOut } from './foreign-formats.ts'

/**
 * The parts of a file that are not imported, depending on what the annotations become. `parts` assumes that all annotations
 * become suggestions, and that each record has the suggestions of only one person. This module has no dependencies, so that the
 * web app can bundle it.
 * @param annotators what the annotations of the people in the file become. Empty if all annotations become suggestions
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
