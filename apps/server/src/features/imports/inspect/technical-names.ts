/** Words in the names of columns that describe the row rather than its content. */
const TECHNICAL_WORDS: ReadonlySet<string> = new Set(
  'annotator annotation count hash height idx index id len length line num number nr no order page position project row size time user version width year'.split(
    ' ',
  ),
)
/** Whether the name of a column says that it describes the row. */
export const isTechnical = (name: string): boolean =>
  name
    .toLowerCase()
    .split(/[^a-z]/)
    .some((word) => TECHNICAL_WORDS.has(word) || TECHNICAL_WORDS.has(word.replace(/s$/, '')))
