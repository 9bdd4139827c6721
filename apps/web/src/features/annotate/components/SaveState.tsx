import { useTranslation } from '#i18n/use-translation.ts'
import type { SaveState as State } from '#lib/outbox/types.ts'
import { useOutbox, useSaveState, useSaveStateOfAll, useSentShare } from '#lib/outbox/use-outbox.ts'
import type { Icon } from '#ui/first-icons.tsx'
import { DangerIcon, WarningIcon } from '#ui/first-icons.tsx'
import { CheckIcon, EditIcon, OfflineIcon } from '#ui/icons.tsx'
import { Spinner } from '#ui/Spinner.tsx'
import type { DeedDone } from '../use-deed-words.ts'
import { useDeedWords } from '../use-deed-words.ts'
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

const LastState = (last: DeedDone) => {
  const { recordIds } = last
  const { t } = useTranslation('features/annotate')
  const state = useSaveStateOfAll(recordIds)
  const share = useSentShare(recordIds)
  const Mark = icons[state]
  const { onlyHere } = useOutbox()
  const isOnlyHere = state === 'kept' && recordIds.some((id) => onlyHere.has(id))
  const deed = useDeedWords()(last)
  return (
    <span className={styles['deed']} data-state={state}>
      {state === 'saving' && recordIds.length > 1 ? <Spinner size={14} progress={share} /> : <Mark size={14} />}
      {isOnlyHere
        ? `${deed} · ${t('save.notLasting')}`
        : state === 'saved' || state === 'saving'
          ? deed
          : t('save.lastWithState', { deed, state: t(`save.short.${state}`) })}
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
          <LastState {...last} />
          <button type="button" className={styles['button']} onClick={onUndo}>
            {t('action.undo')}
          </button>
        </span>
      )}
    </div>
  )
}
