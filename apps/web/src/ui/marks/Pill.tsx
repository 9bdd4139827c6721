import type { ReactNode } from 'react'
import styles from './Pill.module.css'

/** A short label for something. Not a control. */
export const Pill = ({ children }: { readonly children: ReactNode }) => <span className={styles['pill']}>{children}</span>
