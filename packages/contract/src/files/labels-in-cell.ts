/** Splits a cell that contains several labels. Removes whitespace around the labels. */
export const labelsInCell = (text: string, separator: string): readonly string[] =>
  text
    .split(separator)
    .map((label) => label.trim())
    .filter((label) => label !== '')
