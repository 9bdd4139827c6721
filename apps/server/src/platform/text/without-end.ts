/**
 * The text without all of one character at its end. NOTE: a regular expression for that begins anew at each of a run of them that is not at the
 * end, which takes minutes for a long run
 */
export const withoutEnd = (text: string, character: string): string => {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end -= 1
  return text.slice(0, end)
}
