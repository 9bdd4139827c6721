/**
 * Removes all occurrences of one character from the end of a text. This function doesn't use a regular expression, because a
 * regular expression takes minutes for a long run that isn't at the end. It starts again at each character of the run.
 */
export const withoutEnd = (text: string, character: string): string => {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end -= 1
  return text.slice(0, end)
}
