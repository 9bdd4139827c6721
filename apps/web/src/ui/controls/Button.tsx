import type { ComponentProps, ReactNode } from 'react'
import type { Icon } from '../marks/first-icons.tsx'
import { classNames } from '../styles/class-names.ts'
import { Spinner } from '../waiting/Spinner.tsx'
import styles from './Button.module.css'

export type ButtonProps = ComponentProps<'button'> & {
  /** `primary` is what to do next: one on a screen. */
  readonly look?: 'primary' | 'plain' | 'quiet' | 'danger'
  readonly size?: 'normal' | 'main'
  readonly icon?: Icon
  /** Shows that its work is under way; presses are ignored and focus stays. */
  readonly busy?: boolean
  /** Pressing does nothing, yet the button can be focused, so that its tooltip can say why. */
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
