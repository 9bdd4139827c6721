import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import type { SaveCounts } from '#lib/outbox/outbox.ts'
import { saveCounts } from '#lib/outbox/outbox.ts'
import type { SaveState as State } from '#lib/outbox/types.ts'
import { useOutbox, useSaveState } from '#lib/outbox/use-outbox.ts'
import type { Icon } from '#ui/marks/first-icons.tsx'
import { DangerIcon, WarningIcon } from '#ui/marks/first-icons.tsx'
import { CheckIcon, EditIcon, OfflineIcon } from '#ui/marks/icons.tsx'
import { Spinner } from '#ui/waiting/Spinner.tsx'
import type { DeedDone } from '../../telling/use-deed-words.ts'
import { useDeedWords } from '../../telling/use-deed-words.ts'
import styles from './SaveState.module.css'

type Props = {
  /** Null where no record is shown. */
  readonly recordId: string | null
  readonly isEdited: boolean
  /** Whether the record has an answer that was given. */
  readonly isAnswered: boolean
  /** What was done last and can be undone. */
  readonly last: DeedDone | null
  readonly onUndo: () => void
}

const icons: { readonly [S in State]: Icon } = {
  saved: CheckIcon,
  saving: Spinner,
  kept: OfflineIcon,
  refused: DangerIcon,
  conflict: WarningIcon,
}

/** The state that most needs to be known first. */
const untaken = ['refused', 'conflict', 'kept', 'saving'] as const
const worstOf = (counts: SaveCounts): State => untaken.find((state) => counts[state] > 0) ?? 'saved'

/** Puts what was done and where its answers are in words: each answer is counted for what became of it. */
const useLastWords = (): ((last: DeedDone, counts: SaveCounts, isOnlyHere: boolean) => string) => {
  const { t } = useTranslation('features/annotate')
  const wordsOf = useDeedWords()
  return ({ deed, recordIds }, counts, isOnlyHere) => {
    const whole = wordsOf({ deed, recordIds })
    const state = worstOf(counts)
    if (state === 'saved' || state === 'saving') return whole
    const lasting = isOnlyHere ? ` · ${t('save.notLasting')}` : ''
    if (recordIds.length === 1 || counts.kept === recordIds.length)
      return isOnlyHere ? whole + lasting : t('save.lastWithState', { deed: whole, state: t(`save.short.${state}`) })
    const taken = counts.saved > 0 ? [wordsOf({ deed, recordIds }, counts.saved)] : []
    const others = untaken.filter((one) => counts[one] > 0)
    const counted = others.map((one) => t(`save.counted.${one}`, { count: counts[one], formatted: formatCount(counts[one]) }))
    return [...taken, ...counted].join(', ') + lasting
  }
}

const LastState = (last: DeedDone) => {
  const { recordIds } = last
  const snapshot = useOutbox()
  const counts = saveCounts(snapshot, recordIds)
  const state = worstOf(counts)
  const Mark = icons[state]
  const isOnlyHere = state === 'kept' && recordIds.some((id) => snapshot.onlyHere.has(id))
  const words = useLastWords()(last, counts, isOnlyHere)
  return (
    <span className={styles['deed']} data-state={state}>
      {state === 'saving' && recordIds.length > 1 ? (
        <Spinner size={14} progress={counts.saved / recordIds.length} />
      ) : (
        <Mark size={14} />
      )}
      {words}
    </span>
  )
}

/** Where this record's answer is, always in sight, and the way back from what was done last. */
export const SaveState = ({ recordId, isEdited, isAnswered, last, onUndo }: Props) => {
  const { t } = useTranslation('features/annotate')
  const state = useSaveState(recordId ?? '')
  const { onlyHere } = useOutbox()
  const shown = isEdited && state === 'saved' ? 'edited' : isAnswered || state !== 'saved' ? state : 'open'
  const isOnlyHere = (shown === 'kept' || shown === 'edited') && onlyHere.has(recordId ?? '')
  // One problem is told once: here what was done last is this answer, and what became of it stands before.
  const isTold = (shown === 'refused' || shown === 'conflict') && last?.recordIds.every((id) => id === recordId)
  const Mark = shown === 'edited' ? EditIcon : shown === 'open' ? null : icons[shown]
  return (
    <div className={styles['line']} data-state={shown}>
      {recordId !== null && (
        <span className={styles['state']}>
          {Mark && <Mark size={14} />}
          {isOnlyHere ? t('save.notLasting') : t(`save.${shown}`)}
        </span>
      )}
      {last && (
        <span className={styles['undo']}>
          {!isTold && <LastState {...last} />}
          <button type="button" className={styles['button']} onClick={onUndo}>
            {t('action.undo')}
          </button>
        </span>
      )}
    </div>
  )
}
