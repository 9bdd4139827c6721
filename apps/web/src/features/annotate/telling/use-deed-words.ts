import { useCallback } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import type { Deed } from '../use-annotation.ts'

/** What was done at one press, and to which records. */
export type DeedDone = { readonly deed: Deed; readonly recordIds: readonly string[] }

/** What is left of it where some of the answers were dropped again; null when it was all of them. */
export const withoutRecords = ({ deed, recordIds }: DeedDone, dropped: readonly string[]): DeedDone | null => {
  const left = recordIds.filter((id) => !dropped.includes(id))
  return left.length === 0 ? null : { deed, recordIds: left }
}

/** Puts it in words, as it is told and as it is shown; of what was done to many records, for so many of them. */
export const useDeedWords = (): ((done: DeedDone, count?: number) => string) => {
  const { t } = useTranslation('features/annotate')
  return useCallback(
    ({ deed, recordIds: { length } }, count = length) =>
      length > 1 && deed !== 'removed' && deed !== 'dropped'
        ? t(`deedMany.${deed}`, { count, formatted: formatCount(count) })
        : t(`deed.${deed}`),
    [t],
  )
}
