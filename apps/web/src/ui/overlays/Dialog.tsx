import type { ReactNode } from 'react'
import { useId, useLayoutEffect, useRef } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { IconButton } from '../controls/IconButton.tsx'
import { CloseIcon } from '../marks/first-icons.tsx'
import { classNames } from '../styles/class-names.ts'
import styles from './Dialog.module.css'

type Props = {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly title: string
  readonly children: ReactNode
  /** The buttons. The main one comes last. */
  readonly actions?: ReactNode
  /** `sheet` slides in from the side and is as tall as the screen. */
  readonly look?: 'box' | 'sheet'
  readonly wide?: boolean
  /** Whether only the dialog's buttons can close it, because its content is shown only once. */
  readonly requiresButton?: boolean
}

/**
 * Marks the dialog's least destructive action, which gets the focus if the dialog has no input. Without this mark, the first
 * action gets the focus.
 */
export const leastDestructive = { 'data-does-least': '' } as const

const inputs = ':is(input, select, textarea):not([type="hidden"], :disabled)'

/**
 * Returns the element to focus when a dialog opens: its first input or, if it has none, its least destructive action. Returns
 * null if the dialog has neither. Such a dialog is only for reading, and the browser focuses the close button.
 */
const initialFocusIn = (dialog: HTMLElement): HTMLElement | null => {
  const input = dialog.querySelector<HTMLInputElement>(inputs)
  if (!input) {
    const actions = `.${styles['actions']} button:not(:disabled)`
    return dialog.querySelector<HTMLElement>(`${actions}[data-does-least]`) ?? dialog.querySelector<HTMLElement>(actions)
  }
  // In a radio group, Tab moves to the selected choice.
  const isChecked = (one: HTMLInputElement): boolean => one.checked && one.name === input.name
  return input.type === 'radio' ? ([...dialog.querySelectorAll('input')].find(isChecked) ?? input) : input
}

/** The browser's modal dialog. It keeps the focus inside, returns it on close, and closes on Escape. */
export const Dialog = ({ open, ...rest }: Props) => (open ? <OpenDialog {...rest} /> : null)

const OpenDialog = ({
  onOpenChange,
  title,
  children,
  actions,
  look = 'box',
  wide,
  requiresButton = false,
}: Omit<Props, 'open'>) => {
  const { t } = useTranslation()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    if (element) initialFocusIn(element)?.focus()
    // An action may remove the focused element. Keys would then go to the page behind the dialog, and Escape would do nothing.
    const focusWatch = new MutationObserver(() => {
      if (element?.open && document.activeElement === document.body) element.focus()
    })
    if (element) focusWatch.observe(element, { childList: true, subtree: true })
    return () => {
      focusWatch.disconnect()
      element?.close()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      tabIndex={-1}
      aria-labelledby={id}
      // Without this, a second Escape closes the dialog, regardless of how the first one was handled.
      closedby={requiresButton ? 'none' : undefined}
      className={classNames(styles['dialog'], styles[look], wide && styles['wide'])}
      onCancel={(event) => {
        event.preventDefault()
        if (!requiresButton) onOpenChange(false)
      }}
      onClick={(event) => !requiresButton && event.target === event.currentTarget && onOpenChange(false)}
      // Page shortcuts must not work while a dialog is open.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div className={styles['content']}>
        <div className={styles['head']}>
          <h2 id={id} className={styles['title']}>
            {title}
          </h2>
          <IconButton icon={CloseIcon} label={t('action.close')} onClick={() => onOpenChange(false)} />
        </div>
        <div className={styles['body']}>{children}</div>
        {actions && <div className={styles['actions']}>{actions}</div>}
      </div>
    </dialog>
  )
}
