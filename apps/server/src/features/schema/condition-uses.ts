import { flatRules } from '@postil/contract/conditions.ts'
import type { QuestionRow } from './rows.ts'

type Rule = ReturnType<typeof flatRules>[number]['rule']

/** The first question whose condition contains a rule for which `isMeant` returns true. */
export const questionThatReads = (questions: readonly QuestionRow[], isMeant: (rule: Rule) => boolean): QuestionRow | undefined =>
  questions.find(({ shown_when }) => shown_when !== null && flatRules(shown_when).some(({ rule }) => isMeant(rule)))
