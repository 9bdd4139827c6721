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
  /** Buttons, the one to press last. */
  readonly actions?: ReactNode
  /** `sheet` comes from the side and is as high as the screen. */
  readonly look?: 'box' | 'sheet'
  readonly wide?: boolean
  /** Only its buttons close it: what is in it is shown this one time. */
  readonly stays?: boolean
}

/** Marks the action that does the least, where it is not the first. */
export const doesLeast = { 'data-does-least': '' } as const

const inputs = ':is(input, select, textarea):not([type="hidden"], :disabled)'

/**
 * What has the focus when a dialog opens: what it is there to fill in, or else the action that does the least. Null where it has neither: it
 * is only read then, and the browser takes the way out.
 */
const firstIn = (dialog: HTMLElement): HTMLElement | null => {
  const input = dialog.querySelector<HTMLInputElement>(inputs)
  if (!input) {
    const actions = `.${styles['actions']} button:not(:disabled)`
    return dialog.querySelector<HTMLElement>(`${actions}[data-does-least]`) ?? dialog.querySelector<HTMLElement>(actions)
  }
  // Of a group the Tab key comes to the choice that is made.
  const isChosen = (one: HTMLInputElement): boolean => one.checked && one.name === input.name
  return input.type === 'radio' ? ([...dialog.querySelectorAll('input')].find(isChosen) ?? input) : input
}

/** The browser's modal dialog: it keeps the focus inside, gives it back, and closes with Escape. */
export const Dialog = ({ open, ...rest }: Props) => (open ? <OpenDialog {...rest} /> : null)

const OpenDialog = ({ onOpenChange, title, children, actions, look = 'box', wide, stays = false }: Omit<Props, 'open'>) => {
  const { t } = useTranslation()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    if (element) firstIn(element)?.focus()
    // What has the focus may leave with what was done: keys would then reach the page behind, and Escape nothing.
    const watch = new MutationObserver(() => {
      if (element?.open && document.activeElement === document.body) element.focus()
    })
    if (element) watch.observe(element, { childList: true, subtree: true })
    return () => {
      watch.disconnect()
      element?.close()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      tabIndex={-1}
      aria-labelledby={id}
      // NOTE: without it, a second Escape closes the dialog whatever is said to the first
      closedby={stays ? 'none' : undefined}
      className={classNames(styles['dialog'], styles[look], wide && styles['wide'])}
      onCancel={(event) => {
        event.preventDefault()
        if (!stays) onOpenChange(false)
      }}
      onClick={(event) => !stays && event.target === event.currentTarget && onOpenChange(false)}
      // Keys of the page must not act while a dialog is open.
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
