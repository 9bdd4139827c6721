import type { ReactNode } from 'react'
import styles from './Differing.module.css'

type Props = { readonly isDifferent: boolean; readonly children: ReactNode }

/** Marks a part of an answer that another version of the answer doesn't have. */
export const Differing = ({ isDifferent, children }: Props) =>
  isDifferent ? <mark className={styles['differing']}>{children}</mark> : children
