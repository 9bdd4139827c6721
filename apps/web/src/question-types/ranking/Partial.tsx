import { useTranslation } from '#i18n/use-translation.ts'

/** Why a ranking with cards left over is not submitted. */
export const PartialRanking = ({ required }: { readonly required: boolean }) => {
  const { t } = useTranslation('question-types/ranking')
  return required ? t('rankAll') : t('rankAllOrNone')
}
