import { type ConditionMetadata, hiddenQuestions } from '@postil/contract/conditions.ts'
import { type Decisions, decisionOn, majorityOf, type ReviewedQuestion } from './decisions.ts'

/**
 * The questions that aren't hidden for the decisions. Open decisions count as the most frequent answers, so that a question
 * appears as soon as people have been asked it.
 * @param metadata the metadata of the record
 */
export const shownReviewed = (
  reviewed: readonly ReviewedQuestion[],
  decisions: Decisions,
  metadata: ConditionMetadata,
): readonly ReviewedQuestion[] => {
  const values = Object.fromEntries(
    reviewed.map(({ question, compared }) => {
      const decided = decisionOn(decisions, question)?.value
      return [question.name, { value: decided === undefined ? majorityOf(compared)?.value : decided }]
    }),
  )
  const hidden = hiddenQuestions(
    reviewed.map(({ question }) => question),
    values,
    metadata,
  )
  return hidden.size === 0 ? reviewed : reviewed.filter(({ question }) => !hidden.has(question.name))
}
