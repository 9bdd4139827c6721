/** The labels in a cell that contains several. Blanks around them are removed. */
export const labelsInCell = (text: string, separator: string): readonly string[] =>
  text
    .split(separator)
    .map((label) => label.trim())
    .filter((label) => label !== '')
