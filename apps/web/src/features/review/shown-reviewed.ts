import { type ConditionMetadata, hiddenQuestions } from '@postil/contract/conditions.ts'
import { type Decisions, decisionOn, majorityOf, type ReviewedQuestion } from './decisions.ts'

/**
 * Returns the questions that the decisions don't hide. A question without a decision counts as answered with its most frequent
 * answer, so that the questions that people were asked are visible from the start.
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
