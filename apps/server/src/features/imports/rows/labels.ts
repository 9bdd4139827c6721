import type { SuggestionMapping } from '@postil/contract/jobs.ts'

type Values = ReadonlyMap<string, unknown>

/** Removes whitespace around a label if only the trimmed label is an option of the question. */
export const trimmedLabel = (value: unknown, options: ReadonlySet<unknown>): unknown => {
  if (typeof value !== 'string' || options.has(value)) return value
  const trimmed = value.trim()
  return options.has(trimmed) ? trimmed : value
}

const ON = /^(1(\.0*)?|true|yes|x)$/i
const OFF = /^(0(\.0*)?|false|no|)$/i

/**
 * Returns the labels of a row if each column represents one label. The value 1 means that the row has the label, and 0 means that
 * it doesn't. Any other value is returned as a label, so that the row is rejected.
 */
export const labelsOn = (values: Values, pairs: readonly SuggestionMapping[]): readonly string[] =>
  pairs.flatMap(({ source, option }) => {
    const text = String(values.get(source) ?? '').trim()
    if (OFF.test(text)) return []
    return [ON.test(text) ? (option ?? source) : text]
  })
