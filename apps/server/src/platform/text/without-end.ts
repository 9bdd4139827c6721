/**
 * Removes all occurrences of one character from the end of a text. A regular expression would start again at each character of
 * a run that is not at the end, which takes minutes for a long run.
 */
export const withoutEnd = (text: string, character: string): string => {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end -= 1
  return text.slice(0, end)
}
