import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import type { Fault } from './rules.ts'

/** Returns the message to show below an input; null if its value is valid. */
export const useFaultText = (): ((fault: Fault) => string | null) => {
  const { t } = useTranslation('features/settings')
  const number = (bound: number | undefined): string => (bound === undefined ? '' : formatCount(bound))
  return (fault) => (fault ? t(`fault.${fault.message}`, { min: number(fault.min), max: number(fault.max) }) : null)
}
