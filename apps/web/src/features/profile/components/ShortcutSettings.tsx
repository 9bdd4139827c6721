import type { KeyboardEvent } from 'react'
import { Fragment, useId, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import type { BoundAction } from '#lib/keys/bindings.ts'
import {
  actionBoundTo,
  bindingOf,
  boundActions,
  changedBindings,
  defaultBindings,
  rebind,
  rejectionOf,
} from '#lib/keys/bindings.ts'
import { capsOf } from '#lib/keys/caps.ts'
import { isComposing } from '#lib/keys/is-composing.ts'
import { latinKey } from '#lib/keys/latin-key.ts'
import { changeBindings, useBindings } from '#lib/keys/use-bindings.ts'
import { Button } from '#ui/controls/Button.tsx'
import { announce } from '#ui/feedback/announcer.ts'
import { VisuallyHidden } from '#ui/marks/VisuallyHidden.tsx'
import page from './ProfilePage.module.css'
import styles from './ShortcutSettings.module.css'

/** The last key that was rejected, and the action that it was pressed for. */
type RejectedKey = { readonly action: BoundAction; readonly text: string }

/** The spaces between the keys are for screen readers. */
const Caps = ({ binding }: { readonly binding: string }) =>
  capsOf(binding).map((cap, index) => (
    <Fragment key={cap}>
      {index > 0 && ' '}
      <kbd>{cap}</kbd>
    </Fragment>
  ))

export const ShortcutSettings = () => {
  const { t } = useTranslation('features/profile')
  const id = useId()
  const bindings = useBindings()
  const [recordingAction, setRecordingAction] = useState<BoundAction | null>(null)
  const [rejectedKey, setRejectedKey] = useState<RejectedKey | null>(null)
  const nameOf = (action: BoundAction): string => t(`keys.action.${action}`)
  const bindingText = (binding: string): string => capsOf(binding).join(' ')

  const startRecording = (action: BoundAction): void => {
    setRecordingAction(action)
    setRejectedKey(null)
    announce(t('keys.ask', { action: nameOf(action) }))
  }
  const stopRecording = (): void => {
    setRecordingAction(null)
    setRejectedKey(null)
  }
  const assignKey = (action: BoundAction, binding: string): void => {
    const refusal = rejectionOf(binding)
    if (refusal) {
      setRejectedKey({ action, text: t(`keys.rejected.${refusal}`, { key: bindingText(binding) }) })
      return
    }
    const other = actionBoundTo(bindings, binding)
    const textParams = { key: bindingText(binding), action: nameOf(action) }
    const next = rebind(bindings, action, binding)
    changeBindings(next)
    stopRecording()
    announce(
      other && other !== action && next[other] !== bindings[other]
        ? t('keys.swapped', { ...textParams, other: nameOf(other), otherKey: bindingText(next[other]) })
        : t('keys.changed', textParams),
    )
  }
  const onKeyDown = (event: KeyboardEvent, action: BoundAction): void => {
    // Tab moves the focus, as everywhere else.
    if (recordingAction !== action || event.key === 'Tab' || isComposing(event.nativeEvent)) return
    event.preventDefault()
    event.stopPropagation()
    const { shiftKey: shift, altKey: alt } = event
    const binding = bindingOf({ key: latinKey(event.nativeEvent), shift, alt, ctrl: event.ctrlKey || event.metaKey })
    if (binding === 'Escape') stopRecording()
    else if (binding !== null) assignKey(action, binding)
  }

  return (
    <section id="keys" className={`${page['part']} ${styles['keys']}`} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{t('keys.title')}</h2>
      <p className={page['hint']}>{t('keys.hint')}</p>
      <ul className={styles['list']}>
        {boundActions.map((action) => (
          <li key={action} className={styles['line']} data-action={action}>
            <span>{nameOf(action)}</span>
            <Button
              look="quiet"
              className={styles['key']}
              data-asked={recordingAction === action ? '' : undefined}
              aria-label={
                recordingAction === action
                  ? undefined
                  : t('keys.change', { action: nameOf(action), key: bindingText(bindings[action]) })
              }
              aria-describedby={rejectedKey?.action === action ? `${id}-rejected` : undefined}
              onClick={() => startRecording(action)}
              onBlur={stopRecording}
              onKeyDown={(event) => onKeyDown(event, action)}
              // The space bar activates a button on keyup.
              onKeyUp={(event) => recordingAction === action && event.preventDefault()}
            >
              {recordingAction === action ? (
                <span>
                  {t('keys.listening')}
                  <VisuallyHidden>. {t('keys.ask', { action: nameOf(action) })}</VisuallyHidden>
                </span>
              ) : (
                <Caps binding={bindings[action]} />
              )}
            </Button>
            {rejectedKey?.action === action && (
              <p id={`${id}-rejected`} role="alert" className={styles['rejected']}>
                {rejectedKey.text}
              </p>
            )}
          </li>
        ))}
      </ul>
      <Button
        blocked={Object.keys(changedBindings(bindings)).length === 0}
        onClick={() => {
          changeBindings(defaultBindings)
          announce(t('keys.restored'))
        }}
      >
        {t('keys.usual')}
      </Button>
    </section>
  )
}
