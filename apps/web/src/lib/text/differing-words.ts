/** A part of a string that is compared with another string. `isDifferent`: whether the other string lacks this part. */
export type TextPart = { readonly text: string; readonly isDifferent: boolean }

/**
 * Maximum number of cells in the comparison table. If the parts between the common beginning and the common end of two strings
 * would need more cells, these parts are treated as entirely different.
 */
const maxCells = 1_000_000

/** Returns, for every pair of suffixes of two lists, the length of the longest common subsequence. */
const commonLengths = (a: readonly string[], b: readonly string[]): readonly Uint32Array[] => {
  const rows = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const [row, below] = [rows[i]!, rows[i + 1]!]
      row[j] = a[i] === b[j] ? below[j + 1]! + 1 : Math.max(below[j]!, row[j + 1]!)
    }
  }
  return rows
}

/** Returns, for each word, whether it is missing from the longest common subsequence. */
const markWords = (words: readonly string[], others: readonly string[]): readonly boolean[] => {
  if ((words.length + 1) * (others.length + 1) > maxCells) return words.map(() => true)
  const lengths = commonLengths(words, others)
  const marks: boolean[] = []
  for (let i = 0, j = 0; i < words.length; ) {
    const isCommon = words[i] === others[j]
    if (!isCommon && j < others.length && lengths[i]![j + 1]! >= lengths[i + 1]![j]!) j += 1
    else {
      marks.push(!isCommon)
      i += 1
      if (isCommon) j += 1
    }
  }
  return marks
}

const wordsAndBlanks = (text: string): readonly string[] => text.match(/\s+|[^\s]+/gu) ?? []

/**
 * Splits text into parts, each of which the other text either contains or lacks. Compares words and the whitespace between them.
 */
export const differingWords = (text: string, other: string): readonly TextPart[] => {
  const [words, others] = [wordsAndBlanks(text), wordsAndBlanks(other)]
  let start = 0
  while (start < words.length && start < others.length && words[start] === others[start]) start += 1
  let end = 0
  const most = Math.min(words.length, others.length) - start
  while (end < most && words.at(-1 - end) === others.at(-1 - end)) end += 1
  const inner = markWords(words.slice(start, words.length - end), others.slice(start, others.length - end))
  const parts: TextPart[] = []
  words.forEach((word, at) => {
    const isDifferent = inner[at - start] ?? false
    const last = parts.at(-1)
    if (last?.isDifferent === isDifferent) parts[parts.length - 1] = { text: last.text + word, isDifferent }
    else parts.push({ text: word, isDifferent })
  })
  return parts
}
