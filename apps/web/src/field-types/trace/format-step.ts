import { currentLanguage } from '#i18n/texts.ts'

/** Formats the duration of a step, such as "350 ms", "4.2 s" or "3.5 min". */
export const formatStepDuration = (ms: number): string => {
  const [value, unit] = ms < 1000 ? [ms, 'millisecond'] : ms < 100_000 ? [ms / 1000, 'second'] : [ms / 60_000, 'minute']
  const maximumFractionDigits = value < 10 && unit !== 'millisecond' ? 1 : 0
  return new Intl.NumberFormat(currentLanguage(), { style: 'unit', unit, unitDisplay: 'narrow', maximumFractionDigits }).format(
    value,
  )
}
