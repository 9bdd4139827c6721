import type { ConditionMetadata } from '@postil/contract/conditions.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Answers } from '#lib/drafts/draft.ts'

let conditional: typeof import('./conditional.ts') | null = null

/** Loads the code that evaluates conditions, if a question has one. Must finish before the questions are shown. */
export const loadConditions = async (questions: readonly Question[]): Promise<void> => {
  if (questions.some((question) => question.shown_when)) conditional = await import('./conditional.ts')
}

/**
 * Returns the questions that aren't hidden for these answers.
 * @param metadata the record's metadata. Undefined if several records are answered. In that case, metadata conditions hide no
 * question, because each question may be shown on some of the records
 */
export const shownQuestions = (
  questions: readonly Question[],
  answers: Answers,
  metadata: ConditionMetadata | undefined,
): readonly Question[] => conditional?.shownAmong(questions, answers, metadata) ?? questions

/** Announces the questions that have appeared since the last call for the same record. */
export const announceShown = (id: string | null, shown: readonly Question[]): void => conditional?.announceNew(id, shown)
