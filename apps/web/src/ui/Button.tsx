import type { ComponentProps, ReactNode } from 'react'
import styles from './Button.module.css'
import { classNames } from './class-names.ts'
import type { Icon } from './first-icons.tsx'
import { Spinner } from './Spinner.tsx'

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
