import type { ReactNode } from 'react'
import styles from './Input.module.css'

/** Read out, not shown. */
export const VisuallyHidden = ({ children }: { readonly children: ReactNode }) => (
  <span className={styles['hidden']}>{children}</span>
)
