import { preloadTypeMessages } from '#i18n/setup.ts'
import { QuestionBlock, RecordFields } from './parts.ts'

export { AnswersDialog } from './AnswersDialog.tsx'
export { FillButton } from './FillButton.tsx'
export { GoldMark } from './GoldMark.tsx'
export { RequestButton } from './RequestButton.tsx'

/** Loads the messages and parts of the review and corrections pages. */
export const loadReviewMessages = async (): Promise<void> => {
  // A part that can't be loaded now is loaded when it is shown.
  const parts = Promise.allSettled([QuestionBlock.preload(), RecordFields.preload()])
  await preloadTypeMessages('features/review', 'features/annotate')
  await parts
}
