import type { GoldReason } from '@postil/contract/gold.ts'
import { maxNoteLength } from '@postil/contract/wire/limits.ts'
import { type KeyboardEvent, useId } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { isComposing } from '#lib/keys/is-composing.ts'
import { TextArea } from '#ui/controls/TextArea.tsx'
import { Kbd } from '#ui/marks/Kbd.tsx'
import type { Decision } from './decisions.ts'
import { reasonKeys, reasons } from './keys.ts'
import styles from './ReasonBar.module.css'

type Props = {
  readonly decision: Pick<Decision, 'reason' | 'note'>
  readonly isNoteOpen: boolean
  readonly onReason: (reason: GoldReason) => void
  readonly onNote: (note: string) => void
  readonly onOpenNote: () => void
  /** Called when the reviewer leaves the note with Escape. */
  readonly onLeaveNote: () => void
}

/** Why people disagreed about a question: a reason to choose, and a note. */
export const ReasonBar = ({ decision, isNoteOpen, onReason, onNote, onOpenNote, onLeaveNote }: Props) => {
  const { t } = useTranslation('features/review')
  const id = useId()
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || isComposing(event.nativeEvent)) return
    event.preventDefault()
    event.stopPropagation()
    onLeaveNote()
  }
  return (
    <div className={styles['reasons']}>
      <span id={id} className={styles['label']}>
        {t('reason.title')}
      </span>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset can't be laid out in one line with its legend */}
      <div role="group" aria-labelledby={id} className={styles['chips']}>
        {reasons.map((reason) => (
          <button
            key={reason}
            type="button"
            data-option=""
            className={styles['chip']}
            aria-pressed={decision.reason === reason}
            aria-keyshortcuts={reasonKeys[reason].toUpperCase()}
            onClick={() => onReason(reason)}
          >
            {t(`reason.${reason}`)}
            <Kbd>{reasonKeys[reason].toUpperCase()}</Kbd>
          </button>
        ))}
        {!isNoteOpen && (
          <button type="button" data-option="" className={styles['add']} aria-keyshortcuts="N" onClick={onOpenNote}>
            {t('note.add')}
            <Kbd>N</Kbd>
          </button>
        )}
      </div>
      {isNoteOpen && (
        <TextArea
          label={t('note.label')}
          hideLabel
          placeholder={t('note.placeholder')}
          className={styles['note']}
          rows={2}
          maxLength={maxNoteLength}
          value={decision.note}
          onChange={(event) => onNote(event.target.value)}
          onKeyDown={onKeyDown}
        />
      )}
    </div>
  )
}
