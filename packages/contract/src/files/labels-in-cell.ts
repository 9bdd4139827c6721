/** The labels in a cell with several, without blanks around them. */
export const labelsInCell = (text: string, separator: string): readonly string[] =>
  text
    .split(separator)
    .map((label) => label.trim())
    .filter((label) => label !== '')
