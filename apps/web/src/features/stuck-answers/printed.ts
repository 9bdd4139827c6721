import type { AnswerValues } from '@postil/contract/answer-value.ts'
import type { Line } from '#lib/outbox/types.ts'

const printed = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(printed).join(', ')
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([name, part]) => `${name}: ${printed(part)}`)
    .join(' ')
}

/** Answers in words, by question name. The questions themselves may be gone, so nothing is said but what was answered. */
export const printedValues = (values: AnswerValues): readonly { readonly name: string; readonly text: string }[] =>
  Object.entries(values).map(([name, { value }]) => ({ name, text: printed(value) }))

/** Everything about unsent answers, as JSON, to be kept elsewhere. */
export const printedLines = (lines: readonly Line[]): string =>
  JSON.stringify(
    lines.map(({ dataset_id, record_id, entries }) => {
      const change = entries.at(-1)?.change
      return {
        dataset_id,
        record_id,
        ...(change?.kind === 'save' ? { status: change.status, values: change.values } : { status: null }),
      }
    }),
    null,
    2,
  )
