import { preloadMessages } from '#i18n/setup.ts'
import { lazyPart } from '#ui/loading/lazy-part.ts'

export { closeStuckAnswers, openStuckAnswers, useStuckAnswersRequest } from './stuck-answers-state.ts'

export const StuckAnswersDialog = lazyPart(
  async () => {
    const [module] = await Promise.all([import('./components/StuckAnswersDialog.tsx'), preloadMessages('features/stuck-answers')])
    return { default: module.StuckAnswersDialog }
  },
  { reportsFailure: true },
)
