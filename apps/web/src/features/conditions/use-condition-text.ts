import type { Condition } from '@postil/contract/conditions.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { conditionText, type Subjects } from './condition-edit.ts'

/** Returns a function that puts conditions into words. */
export const useConditionText = (): ((condition: Condition, subjects: Subjects) => string) => {
  const { t } = useTranslation('features/conditions')
  return (condition, subjects) =>
    conditionText(condition, subjects, {
      is: (values) => t('is', values),
      isAnswered: (values) => t('isAnswered', values),
      and: t('and'),
      or: t('or'),
    })
}
