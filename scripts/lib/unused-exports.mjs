const DECLARED = /^export (?:abstract |async )?(?:const|let|function\*?|class|type|interface|enum) (\w+)/gm
const WORD = /[A-Za-z_$][\w$]*/g

/**
 * Exported names that no other file mentions, as `{file, line, name}`. A mention in any other context counts too, so a name that
 * is also a common word is never reported.
 * @param {readonly (readonly [string, string])[]} files pairs of a path and its text, including the tests
 * @param {(path: string) => boolean} isChecked whether the exports of a path must be used
 */
export const unusedExports = (files, isChecked) => {
  /** Maps each word to the only file that mentions it, or to null if several files do. */
  const mentionedBy = new Map()
  for (const [file, text] of files)
    for (const word of new Set(text.match(WORD))) mentionedBy.set(word, mentionedBy.has(word) ? null : file)
  return files
    .filter(([file]) => isChecked(file))
    .flatMap(([file, text]) =>
      [...text.matchAll(DECLARED)]
        .filter(([, name]) => mentionedBy.get(name) === file)
        .map(({ index, 1: name }) => ({ file, line: text.slice(0, index).split('\n').length, name })),
    )
}
