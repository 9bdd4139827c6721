import { useCallback } from 'react'
import { formatScore } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { VisuallyHidden } from '#ui/marks/VisuallyHidden.tsx'

/** What is said of what a model has suggested, by its score. */
export const useSuggestionWords = (): ((score: number | null) => string) => {
  const { t } = useTranslation('question-types/shared')
  return useCallback((score) => (score === null ? t('suggested') : t('suggestedWithScore', { score: formatScore(score) })), [t])
}

/** What a reader says for the small mark on what a model has suggested. */
export const SuggestionWords = ({ score }: { readonly score: number | null }) => (
  <VisuallyHidden>{useSuggestionWords()(score)}</VisuallyHidden>
)
