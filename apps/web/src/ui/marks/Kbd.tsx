import styles from './Kbd.module.css'

/**
 * A gray key cap, only shown if there is a keyboard. Hidden from screen readers: the control names its key in
 * `aria-keyshortcuts`.
 */
export const Kbd = ({ children }: { readonly children: string }) => (
  <span className={styles['kbd']} aria-hidden="true">
    {children}
  </span>
)
