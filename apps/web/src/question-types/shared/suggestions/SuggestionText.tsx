import { useCallback } from 'react'
import { formatScore } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { VisuallyHidden } from '#ui/marks/VisuallyHidden.tsx'

export const useSuggestionText = (): ((score: number | null) => string) => {
  const { t } = useTranslation('question-types/shared')
  return useCallback((score) => (score === null ? t('suggested') : t('suggestedWithScore', { score: formatScore(score) })), [t])
}

/** The screen reader text for the small mark on a suggestion. */
export const SuggestionText = ({ score }: { readonly score: number | null }) => (
  <VisuallyHidden>{useSuggestionText()(score)}</VisuallyHidden>
)
