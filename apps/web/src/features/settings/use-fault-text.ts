import { useTranslation } from '#i18n/use-translation.ts'
import type { Fault } from './rules.ts'

/** The sentence under an input; null when its value is good. */
export const useFaultText = (): ((fault: Fault) => string | null) => {
  const { t } = useTranslation('features/settings')
  return (fault) => (fault ? t(`fault.${fault.message}`, { max: fault.max }) : null)
}
