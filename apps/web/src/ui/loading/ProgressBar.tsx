import type { CSSProperties, ReactNode } from 'react'
import { classNames } from '../styles/class-names.ts'
import styles from './ProgressBar.module.css'

type Props = {
  /** What is measured. This is the accessible name. */
  readonly label: string
  readonly value: number
  readonly total: number
  /** The progress in words, shown next to the bar and read out. A bar is never shown without it. */
  readonly text: string
  readonly end?: ReactNode
  readonly className?: string | undefined
}

/** A progress bar with its text. If the total is 0, the bar is empty. */
export const ProgressBar = ({ label, value, total, text, end, className }: Props) => {
  const share = total > 0 ? Math.min(1, Math.max(0, value / total)) : 0
  return (
    <div className={classNames(styles['progress'], className)} data-complete={share === 1 ? '' : undefined}>
      <div
        className={styles['track']}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.floor(share * 100)}
        aria-valuetext={text}
      >
        <div className={styles['fill']} style={{ '--share': share } as CSSProperties} />
      </div>
      <span className={styles['text']} aria-hidden="true">
        {text}
        {end}
      </span>
    </div>
  )
}
