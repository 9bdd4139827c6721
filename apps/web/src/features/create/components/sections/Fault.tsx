import styles from './Parts.module.css'

/** An error about a part of the form that isn't an input. It receives focus when it blocks saving. */
export const Fault = ({ children }: { readonly children: string }) => (
  <p role="alert" tabIndex={-1} data-fault="" className={styles['fault']}>
    {children}
  </p>
)
