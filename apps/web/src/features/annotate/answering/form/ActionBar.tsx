import type { RecordFilterStatus } from '@postil/contract/annotation-query/grammar.ts'
import type { MouseEvent } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { keyShortcuts, shortCap } from '#lib/keys/caps.ts'
import { useBindings } from '#lib/keys/use-bindings.ts'
import { Button } from '#ui/controls/Button.tsx'
import { useSinglePress } from '#ui/controls/use-single-press.ts'
import { announce } from '#ui/feedback/announcer.ts'
import { Kbd } from '#ui/marks/Kbd.tsx'
import { Tooltip } from '#ui/overlays/Tooltip.tsx'
import styles from './ActionBar.module.css'

type Props = {
  readonly status: RecordFilterStatus
  /** The ID of the element that says why the answers can't be submitted yet. Null if they can. */
  readonly missingId: string | null
  /** Why no action is possible now. Null if actions are possible. */
  readonly blocked?: string | null
  /** The Submit button's label if one answer is submitted for several records. */
  readonly submitLabel?: string
  readonly onSubmit: () => void
  readonly onDiscard: () => void
  readonly onSaveDraft: () => void
  readonly onClear: () => void
  /** Called when the form was cleared with a mouse or by touch. Moves the focus to the first question, so that shortcuts work. */
  readonly onCleared: () => void
}

/** The actions on the answers. Submit stays focusable, and the line below it says which answers are missing. */
export const ActionBar = ({
  status,
  missingId,
  blocked = null,
  submitLabel,
  onSubmit,
  onDiscard,
  onSaveDraft,
  onClear,
  onCleared,
}: Props) => {
  const { t } = useTranslation('features/annotate')
  const keys = useBindings()
  const once = useSinglePress()
  const submit = (
    <Button
      look="primary"
      size="main"
      className={styles['submit']}
      blocked={missingId !== null || blocked !== null}
      aria-describedby={missingId ?? undefined}
      aria-keyshortcuts={keyShortcuts(keys.submit)}
      onClick={once(onSubmit)}
    >
      {submitLabel ?? t('action.submit')}
      <Kbd>{shortCap(keys.submit)}</Kbd>
    </Button>
  )
  const clear = (event: MouseEvent): void => {
    announce(t('done.cleared'))
    onClear()
    // A click triggered by a key has a `detail` of zero. The button then keeps the focus.
    if (event.detail > 0) onCleared()
  }
  return (
    <div className={styles['frame']}>
      <div className={styles['bar']}>
        <Button look="quiet" size="main" className={styles['clear']} onClick={clear}>
          {t('action.clear')}
        </Button>
        {status !== 'discarded' && (
          <Button size="main" blocked={blocked !== null} aria-keyshortcuts={keyShortcuts(keys.discard)} onClick={once(onDiscard)}>
            {t('action.discard')}
            <Kbd>{shortCap(keys.discard)}</Kbd>
          </Button>
        )}
        <Button
          size="main"
          className={styles['draft']}
          blocked={blocked !== null}
          aria-keyshortcuts={keyShortcuts(keys.saveDraft)}
          onClick={onSaveDraft}
        >
          <span className={styles['long']}>{t('action.saveDraft')}</span>
          <span className={styles['short']}>{t('action.draft')}</span>
          <Kbd>{shortCap(keys.saveDraft)}</Kbd>
        </Button>
        {blocked === null ? submit : <Tooltip text={blocked}>{submit}</Tooltip>}
      </div>
    </div>
  )
}
