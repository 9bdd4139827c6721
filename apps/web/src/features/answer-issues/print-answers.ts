import type { AnswerValues } from '@postil/contract/answer-value.ts'
import type { OutboxLine } from '#lib/outbox/types.ts'

const printValue = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(printValue).join(', ')
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([name, part]) => `${name}: ${printValue(part)}`)
    .join(' ')
}

/**
 * Converts each answer to text, with the name of its question. The questions may have been deleted, so only the answered values
 * are used.
 */
export const printValues = (values: AnswerValues): readonly { readonly name: string; readonly text: string }[] =>
  Object.entries(values).map(([name, { value }]) => ({ name, text: printValue(value) }))

/** Prints unsent answers as JSON, to be saved elsewhere. */
export const printLines = (lines: readonly OutboxLine[]): string =>
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
