import type { ReactNode } from 'react'
import styles from './EmptyState.module.css'

type Props = {
  /** One sentence that describes the state. */
  readonly title: string
  /** One sentence that says what to do. */
  readonly hint?: ReactNode
  /** The button for that action. */
  readonly action?: ReactNode
  readonly level?: 1 | 2
}

export const EmptyState = ({ title, hint, action, level = 2 }: Props) => {
  const Heading = level === 1 ? 'h1' : 'h2'
  return (
    <div className={styles['empty']}>
      <Heading className={styles['title']}>{title}</Heading>
      {hint && <div className={styles['hint']}>{hint}</div>}
      {action && <div className={styles['action']}>{action}</div>}
    </div>
  )
}
