import { preloadMessages } from '#i18n/setup.ts'
import { lazyPart } from '#ui/waiting/lazy-part.ts'

export { askAboutStuckAnswers, closeStuckAnswers, useAskedAbout } from './asked.ts'

export const StuckAnswersDialog = lazyPart(
  async () => {
    const [module] = await Promise.all([import('./components/StuckAnswersDialog.tsx'), preloadMessages('features/stuck-answers')])
    return { default: module.StuckAnswersDialog }
  },
  { isAskedFor: true },
)
