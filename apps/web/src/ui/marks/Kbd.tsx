import styles from './Kbd.module.css'

/** A key cap in grey; only where a keyboard is present. Hidden from readers: the control names its key in `aria-keyshortcuts`. */
export const Kbd = ({ children }: { readonly children: string }) => (
  <span className={styles['kbd']} aria-hidden="true">
    {children}
  </span>
)
