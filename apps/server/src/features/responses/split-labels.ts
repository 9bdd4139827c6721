import type { AnswerValue, AnswerValues } from '@postil/contract/answer-value.ts'
import { splitLabelsOf } from '@postil/contract/question-types/index.ts'
import type { Returned } from '@postil/contract/responses.ts'
import { jsonEquals } from '@postil/contract/wire/json.ts'
import { now, printTime } from '#platform/time.ts'
import type { Answer } from './made-changes.ts'
import type { ScopeQuestion } from './scope.ts'
import type { SentAnswer } from './sent-answer.ts'

type Values = AnswerValues | { readonly [question: string]: { readonly value: unknown } }

/** Returns the split labels that an answer contains. */
export const splitsIn = (values: Values, questions: readonly ScopeQuestion[]): NonNullable<Returned['split']> =>
  questions.flatMap(({ name, settings }) =>
    Object.hasOwn(values, name)
      ? splitLabelsOf(values[name]?.value as AnswerValue, settings).map(({ from, into }) => ({
          question: name,
          label: from,
          into: [...into],
        }))
      : [],
  )

/**
 * Changes a submitted answer that contains a split label into a draft that is returned to its author. Such an answer can't be
 * submitted, but the request isn't refused.
 */
export const dueIfSplit = (sent: SentAnswer, before: Answer, questions: readonly ScopeQuestion[]): SentAnswer => {
  if (sent.status !== 'submitted' || sent.values == null) return sent
  const split = splitsIn(sent.values, questions)
  if (split.length === 0) return sent
  const stored = before?.returned
  const returned = jsonEquals(stored?.split, split) ? stored : { by: null, at: printTime(now()), comment: '', split }
  return { ...sent, status: 'draft', returned }
}
