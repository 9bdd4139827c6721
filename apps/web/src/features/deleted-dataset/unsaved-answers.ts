import type { AnswerValues } from '@postil/contract/answer-value.ts'
import type { Draft } from '#lib/drafts/draft.ts'
import type { OutboxLine } from '#lib/outbox/types.ts'

type UnsavedAnswer = { readonly record_id: string; readonly status: string | null; readonly values: AnswerValues }

const valuesOf = ({ answers }: Draft): AnswerValues =>
  Object.fromEntries(Object.entries(answers).flatMap(([name, { value }]) => (value === null ? [] : [[name, { value }]])))

/** Returns the answers on this device that the server doesn't have: unsent ones, and edits that were never submitted. */
export const unsavedAnswers = (lines: readonly OutboxLine[], drafts: readonly Draft[]): readonly UnsavedAnswer[] => {
  const unsent = lines.flatMap(({ record_id, entries }): UnsavedAnswer[] => {
    const change = entries.at(-1)?.change
    return change?.kind === 'save' ? [{ record_id, status: change.status, values: change.values }] : []
  })
  const edits = drafts
    .map((draft): UnsavedAnswer => ({ record_id: draft.record_id, status: null, values: valuesOf(draft) }))
    .filter(({ values }) => Object.keys(values).length > 0)
  // Later edits replace the unsent answer to the same record.
  return [...new Map([...unsent, ...edits].map((answer) => [answer.record_id, answer])).values()]
}
