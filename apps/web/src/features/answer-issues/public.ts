import { preloadMessages } from '#i18n/setup.ts'
import { lazyPart } from '#ui/loading/lazy-part.ts'

export { closeAnswerIssues, openAnswerIssues, useAnswerIssuesRequest } from './answer-issues-state.ts'
export { printLines } from './print-answers.ts'

export const AnswerIssuesDialog = lazyPart(
  async () => {
    const [module] = await Promise.all([import('./components/AnswerIssuesDialog.tsx'), preloadMessages('features/answer-issues')])
    return { default: module.AnswerIssuesDialog }
  },
  { reportsFailure: true },
)
