import { formatScore } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { VisuallyHidden } from '#ui/VisuallyHidden.tsx'

/** What a reader says for the small mark on what a model has suggested. */
export const SuggestionWords = ({ score }: { readonly score: number | null }) => {
  const { t } = useTranslation('question-types/shared')
  return (
    <VisuallyHidden>{score === null ? t('suggested') : t('suggestedWithScore', { score: formatScore(score) })}</VisuallyHidden>
  )
}
