import type { ComponentProps, ReactNode } from 'react'
import { Spinner } from '../loading/Spinner.tsx'
import type { Icon } from '../marks/first-icons.tsx'
import { classNames } from '../styles/class-names.ts'
import styles from './Button.module.css'

export type ButtonProps = ComponentProps<'button'> & {
  /** `primary`: the main action of a screen. Use it only once per screen. */
  readonly look?: 'primary' | 'plain' | 'quiet' | 'danger'
  readonly size?: 'normal' | 'main'
  readonly icon?: Icon
  /** Whether work is in progress. If so, the button shows it, ignores presses and keeps the focus. */
  readonly busy?: boolean
  /** Whether presses are ignored. The button stays focusable, so that its tooltip can explain why. */
  readonly blocked?: boolean
  readonly children: ReactNode
}

export const Button = ({
  look = 'plain',
  size = 'normal',
  icon: Mark,
  busy,
  blocked,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) => (
  <button
    type="button"
    {...rest}
    className={classNames(styles['button'], styles[look], size === 'main' && styles['main'], className)}
    aria-busy={busy || undefined}
    aria-disabled={busy || blocked || undefined}
    onClick={(event) => (busy || blocked ? event.preventDefault() : onClick?.(event))}
  >
    {busy ? <Spinner /> : Mark && <Mark />}
    {children}
  </button>
)
