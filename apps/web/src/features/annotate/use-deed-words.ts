import { useCallback } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import type { Deed } from './use-annotation.ts'

/** What was done at one press, and to which records. */
export type DeedDone = { readonly deed: Deed; readonly recordIds: readonly string[] }

/** Puts it in words, as it is told and as it is shown. */
export const useDeedWords = (): ((done: DeedDone) => string) => {
  const { t } = useTranslation('features/annotate')
  return useCallback(
    ({ deed, recordIds: { length } }) =>
      length > 1 && deed !== 'removed' && deed !== 'dropped'
        ? t(`deedMany.${deed}`, { count: length, formatted: formatCount(length) })
        : t(`deed.${deed}`),
    [t],
  )
}
