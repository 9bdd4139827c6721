/** If the name of a column contains one of these words, the column describes the row rather than its content. */
const TECHNICAL_WORDS: ReadonlySet<string> = new Set(
  'annotator annotation count hash height idx index id len length line num number nr no order page position project row size time user version width year'.split(
    ' ',
  ),
)
/**
 * Words in the names of text columns that contain annotators or sources instead of labels. Other technical words, such as `size`,
 * can also name a column of labels.
 */
const ORIGIN_WORDS: ReadonlySet<string> = new Set(
  'annotator annotated hash id labeler project reviewer user username worker'.split(' '),
)

/** The words in a name such as `worker_id`, `worker id` or `WorkerId`. */
const wordsIn = (name: string): readonly string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]/)

/** Whether the name of a text column suggests that its values aren't labels. */
export const isOrigin = (name: string): boolean =>
  wordsIn(name).some((word) => ORIGIN_WORDS.has(word) || ORIGIN_WORDS.has(word.replace(/s$/, '')))

/** Whether the name of a column says that it describes the row. */
export const isTechnical = (name: string): boolean =>
  wordsIn(name).some((word) => TECHNICAL_WORDS.has(word) || TECHNICAL_WORDS.has(word.replace(/s$/, '')))
