import type { ReactNode } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import type { SaveCounts } from '#lib/outbox/outbox.ts'
import { saveCounts } from '#lib/outbox/outbox.ts'
import type { SaveState as State } from '#lib/outbox/types.ts'
import { useOutbox, useSaveState } from '#lib/outbox/use-outbox.ts'
import { Spinner } from '#ui/loading/Spinner.tsx'
import type { Icon } from '#ui/marks/first-icons.tsx'
import { DangerIcon, WarningIcon } from '#ui/marks/first-icons.tsx'
import { CheckIcon, EditIcon, OfflineIcon } from '#ui/marks/icons.tsx'
import type { CompletedAction } from '../../announcements/use-action-text.ts'
import { useActionText } from '../../announcements/use-action-text.ts'
import styles from './SaveState.module.css'

type Props = {
  /** Null if no record is shown. */
  readonly recordId: string | null
  readonly isEdited: boolean
  /** Whether the record has an answer. */
  readonly isAnswered: boolean
  /** The last action that can be undone. */
  readonly last: CompletedAction | null
  readonly onUndo: () => void
  /**
   * The text that says which answers are missing, and the ID of its element. The Submit button refers to this ID in
   * `aria-describedby`. Null if no answers are missing.
   */
  readonly missing?: { readonly id: string; readonly text: ReactNode } | null
}

const icons: { readonly [S in State]: Icon } = {
  saved: CheckIcon,
  saving: Spinner,
  kept: OfflineIcon,
  rejected: DangerIcon,
  conflict: WarningIcon,
}

/** The states of answers that aren't saved yet, most important first. */
const unsavedStates = ['rejected', 'conflict', 'kept', 'saving'] as const
const worstOf = (counts: SaveCounts): State => unsavedStates.find((state) => counts[state] > 0) ?? 'saved'

/** Describes the last action and the state of its answers, with a count for each state. */
const useLastActionText = (): ((last: CompletedAction, counts: SaveCounts, isMemoryOnly: boolean) => string) => {
  const { t } = useTranslation('features/annotate')
  const textOf = useActionText()
  return ({ action, recordIds }, counts, isMemoryOnly) => {
    const fullText = textOf({ action, recordIds })
    const state = worstOf(counts)
    if (state === 'saved' || state === 'saving') return fullText
    const notLastingNote = isMemoryOnly ? ` · ${t('save.notLasting')}` : ''
    if (recordIds.length === 1 || counts.kept === recordIds.length)
      return isMemoryOnly
        ? fullText + notLastingNote
        : t('save.lastWithState', { done: fullText, state: t(`save.short.${state}`) })
    const savedText = counts.saved > 0 ? [textOf({ action, recordIds }, counts.saved)] : []
    const others = unsavedStates.filter((one) => counts[one] > 0)
    const countTexts = others.map((one) => t(`save.counted.${one}`, { count: counts[one], formatted: formatCount(counts[one]) }))
    return [...savedText, ...countTexts].join(', ') + notLastingNote
  }
}

const LastActionState = (last: CompletedAction) => {
  const { recordIds } = last
  const snapshot = useOutbox()
  const counts = saveCounts(snapshot, recordIds)
  const state = worstOf(counts)
  const Mark = icons[state]
  const isMemoryOnly = state === 'kept' && recordIds.some((id) => snapshot.memoryOnly.has(id))
  const words = useLastActionText()(last, counts, isMemoryOnly)
  return (
    <span className={styles['done']} data-state={state}>
      {state === 'saving' && recordIds.length > 1 ? (
        <Spinner size={14} progress={counts.saved / recordIds.length} />
      ) : (
        <Mark size={14} />
      )}
      {words}
    </span>
  )
}

/** The state of this record's answer, which is always visible, and a button that undoes the last action. */
export const SaveState = ({ recordId, isEdited, isAnswered, last, onUndo, missing = null }: Props) => {
  const { t } = useTranslation('features/annotate')
  const state = useSaveState(recordId ?? '')
  const { memoryOnly } = useOutbox()
  const shown = isEdited && state === 'saved' ? 'edited' : isAnswered || state !== 'saved' ? state : 'open'
  const isMemoryOnly = (shown === 'kept' || shown === 'edited') && memoryOnly.has(recordId ?? '')
  // Avoids a duplicate message: if the last action affected only this record, the record's problem is already shown.
  const isShownByState = (shown === 'rejected' || shown === 'conflict') && last?.recordIds.every((id) => id === recordId)
  const Mark = shown === 'edited' ? EditIcon : shown === 'open' ? null : icons[shown]
  return (
    <div className={styles['line']} data-state={shown}>
      {recordId !== null && (
        <span className={styles['state']}>
          {Mark && <Mark size={14} />}
          {isMemoryOnly ? t('save.notLasting') : t(`save.${shown}`)}
        </span>
      )}
      {missing && (
        <span id={missing.id} className={styles['missing']}>
          {missing.text}
        </span>
      )}
      {last && (
        <span className={styles['undo']}>
          {!isShownByState && <LastActionState {...last} />}
          <button type="button" className={styles['button']} onClick={onUndo}>
            {t('action.undo')}
          </button>
        </span>
      )}
    </div>
  )
}
