import { useCallback } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import type { AnswerActionKind } from '../answering/annotator.ts'

/** One action and its records. */
export type CompletedAction = { readonly action: AnswerActionKind; readonly recordIds: readonly string[] }

/** Returns the action without the records whose answers were discarded, or null if none are left. */
export const withoutRecords = ({ action, recordIds }: CompletedAction, dropped: readonly string[]): CompletedAction | null => {
  const remaining = recordIds.filter((id) => !dropped.includes(id))
  return remaining.length === 0 ? null : { action, recordIds: remaining }
}

/** Describes an action, for announcements and on the screen. The text for several records includes the count. */
export const useActionText = (): ((done: CompletedAction, count?: number) => string) => {
  const { t } = useTranslation('features/annotate')
  return useCallback(
    ({ action, recordIds: { length } }, count = length) =>
      length > 1 && action !== 'removed' && action !== 'dropped'
        ? t(`doneMany.${action}`, { count, formatted: formatCount(count) })
        : t(`done.${action}`),
    [t],
  )
}
