import { useTranslation } from '#i18n/use-translation.ts'

/** Explains why a ranking with unranked cards is not submitted. */
export const PartialRanking = ({ required }: { readonly required: boolean }) => {
  const { t } = useTranslation('question-types/ranking')
  return required ? t('rankAll') : t('rankAllOrNone')
}
