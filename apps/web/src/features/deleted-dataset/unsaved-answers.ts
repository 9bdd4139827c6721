import type { AnswerValues } from '@postil/contract/answer-value.ts'
import type { Draft } from '#lib/drafts/draft.ts'
import type { OutboxLine } from '#lib/outbox/types.ts'

type UnsavedAnswer = {
  readonly dataset_id: string
  readonly record_id: string
  /** Null for edits that were never submitted, discarded or saved as a draft. */
  readonly status: string | null
  readonly values: AnswerValues
}

/** Applies a record's edits to its unsent answer, which may be empty. Edits only contain the questions that were edited. */
const withEdits = (unsent: AnswerValues, { answers }: Draft): AnswerValues => {
  const values = new Map(Object.entries(unsent))
  for (const [question, { value }] of Object.entries(answers)) {
    if (value === null) values.delete(question)
    else values.set(question, { value })
  }
  return Object.fromEntries(values)
}

/**
 * Returns the answers on this device that the server doesn't have: unsent answers, and edits that were never submitted. There is
 * one answer per record. If a record has both, the edits are applied to its unsent answer.
 */
export const unsavedAnswers = (lines: readonly OutboxLine[], drafts: readonly Draft[]): readonly UnsavedAnswer[] => {
  const unsent = lines.flatMap(({ dataset_id, record_id, entries }): UnsavedAnswer[] => {
    const change = entries.at(-1)?.change
    return change?.kind === 'save' ? [{ dataset_id, record_id, status: change.status, values: change.values }] : []
  })
  const answers = new Map(unsent.map((answer) => [answer.record_id, answer]))
  for (const draft of drafts) {
    const { dataset_id, record_id } = draft
    const { status, values } = answers.get(record_id) ?? { status: null, values: {} }
    answers.set(record_id, { dataset_id, record_id, status, values: withEdits(values, draft) })
  }
  return [...answers.values()].filter(({ status, values }) => status !== null || Object.keys(values).length > 0)
}
