import type { AnswerValue } from '@postil/contract/answer-value.ts'
import { comparableText } from '@postil/contract/comparable-text.ts'
import type { Condition } from '@postil/contract/conditions.ts'
import { currentAnswerValue, type QuestionSettings, splitLabelsOf } from '@postil/contract/question-types/index.ts'
import { withLabels } from '@postil/contract/question-types/with-labels.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import type { StoredGold } from '#features/gold/public.ts'
import type { ResponseValues } from '#platform/db/tables.ts'
import { serverQuestionType } from '#question-types/registry.ts'

export type ScoredQuestion = {
  readonly name: string
  readonly settings: QuestionSettings
  readonly shown_when: Condition | null
}

/**
 * How correct an answer is, compared with the final answers: the mean score of all questions that can be scored, from 0 to 1. An
 * unanswered question counts as 0, unless it has a condition. An unanswered question with a condition doesn't count, because it
 * may have been hidden. A label that was renamed later counts as the same label.
 *
 * Null if no question can be scored. Also null if the answer has a label that was split later, because the person couldn't choose
 * one of the new labels.
 */
export const scoreOf = (
  questions: readonly ScoredQuestion[],
  given: ResponseValues,
  gold: Pick<StoredGold, 'values'>,
  tolerance: number,
): number | null => {
  const values = withLabels(given, questions, currentAnswerValue)
  const finals = withLabels(gold.values, questions, currentAnswerValue)
  const isSplit = questions.some(
    ({ name, settings }) => Object.hasOwn(values, name) && splitLabelsOf(values[name]?.value as AnswerValue, settings).length > 0,
  )
  if (isSplit) return null
  let [sum, count] = [0, 0]
  for (const { name, settings, shown_when } of questions) {
    const final = Object.hasOwn(finals, name) ? finals[name]?.value : undefined
    const rightness = serverQuestionType(settings).rightness?.({ tolerance })
    if (final === undefined || rightness === undefined) continue
    if (!Object.hasOwn(values, name)) {
      if (shown_when === null) count += 1
      continue
    }
    count += 1
    const own = values[name]?.value as AnswerValue
    sum += comparableText(own as JsonValue) === comparableText(final as JsonValue) ? 1 : rightness(own, final)
  }
  return count === 0 ? null : sum / count
}
