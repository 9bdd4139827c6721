import styles from './models.module.css'

/** A long text that scrolls. */
export const TextBox = ({ label, children }: { readonly label: string; readonly children: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
  <section className={styles['text']} aria-label={label} tabIndex={0}>
    {children}
  </section>
)
