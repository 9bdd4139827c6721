import type { ReactNode } from 'react'
import styles from './Pill.module.css'

/** A short word about a thing, not a control. */
export const Pill = ({ children }: { readonly children: ReactNode }) => <span className={styles['pill']}>{children}</span>
