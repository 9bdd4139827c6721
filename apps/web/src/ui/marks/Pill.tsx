import type { ReactNode } from 'react'
import styles from './Pill.module.css'

/** A short label that isn't a control. */
export const Pill = ({ children }: { readonly children: ReactNode }) => <span className={styles['pill']}>{children}</span>
