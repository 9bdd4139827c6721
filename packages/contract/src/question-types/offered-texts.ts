const asOption = (item: unknown): readonly string[] =>
  typeof item === 'string' ? [item] : typeof item === 'number' ? [String(item)] : []

const parsedList = (text: string): readonly unknown[] | null => {
  if (!text.trimStart().startsWith('[')) return null
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.every((item) => typeof item === 'string' || typeof item === 'number') ? list : null
  } catch {
    return null
  }
}

/**
 * The options that a field's value lists, without repetitions: the items of a JSON list, the list `options` of an object, or the
 * lines of any other text. Blank options are left out. Whitespace around lines is removed.
 */
export const offeredTexts = (value: unknown): readonly string[] => {
  const list =
    typeof value === 'string'
      ? (parsedList(value) ?? value.split('\n').map((line) => line.trim()))
      : typeof value === 'object' && value !== null && 'options' in value && Array.isArray(value.options)
        ? value.options
        : []
  return [...new Set(list.flatMap(asOption))].filter((option) => option.trim() !== '')
}
