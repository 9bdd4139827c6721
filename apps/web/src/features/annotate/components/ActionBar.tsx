import { useTranslation } from 'react-i18next'
import type { RecordFilterStatus } from '#lib/url/grammar.ts'
import { Button } from '#ui/Button.tsx'
import { Kbd } from '#ui/Kbd.tsx'
import { Tooltip } from '#ui/Tooltip.tsx'
import { commandKey } from '../command-key.ts'
import styles from './ActionBar.module.css'

type Props = {
  readonly status: RecordFilterStatus
  readonly canSubmit: boolean
  /** Why nothing can be done now, if so. */
  readonly blocked?: string | null
  /** What submitting is called where it is more than one answer. */
  readonly submitLabel?: string
  readonly onSubmit: () => void
  readonly onDiscard: () => void
  readonly onSaveDraft: () => void
  readonly onClear: () => void
}

/** What can be done with the answers. Submit stays in reach and says what it waits for. */
export const ActionBar = ({
  status,
  canSubmit,
  blocked = null,
  submitLabel,
  onSubmit,
  onDiscard,
  onSaveDraft,
  onClear,
}: Props) => {
  const { t } = useTranslation('features/annotate')
  const submit = (
    <Button
      look="primary"
      size="main"
      className={styles['submit']}
      blocked={!canSubmit || blocked !== null}
      aria-keyshortcuts="Enter"
      onClick={onSubmit}
    >
      {submitLabel ?? t('action.submit')}
      <Kbd>↵</Kbd>
    </Button>
  )
  return (
    <div className={styles['frame']}>
      <div className={styles['bar']}>
        <Button look="quiet" size="main" className={styles['clear']} onClick={onClear}>
          {t('action.clear')}
        </Button>
        <span className={styles['space']} />
        {status !== 'discarded' && (
          <Button size="main" blocked={blocked !== null} aria-keyshortcuts="Backspace" onClick={onDiscard}>
            {t('action.discard')}
            <Kbd>⌫</Kbd>
          </Button>
        )}
        <Button size="main" blocked={blocked !== null} aria-keyshortcuts="Control+S" onClick={onSaveDraft}>
          <span className={styles['long']}>{t('action.saveDraft')}</span>
          <span className={styles['short']}>{t('action.draft')}</span>
          <Kbd>{`${commandKey} S`}</Kbd>
        </Button>
        {canSubmit && blocked === null ? submit : <Tooltip text={blocked ?? t('form.toSubmit')}>{submit}</Tooltip>}
      </div>
    </div>
  )
}
