import { Drawing, SpinnerIcon } from '../marks/first-icons.tsx'
import { classNames } from '../styles/class-names.ts'
import styles from './Spinner.module.css'

type Props = {
  readonly size?: number
  /** The completed part of the work, from 0 to 1, if known. */
  readonly progress?: number | undefined
  readonly className?: string | undefined
}

/**
 * Shows that work is in progress: a turning ring, or one that fills as work is done. The text next to it says the same, so the
 * ring is hidden from assistive technology.
 */
export const Spinner = ({ size = 16, progress, className }: Props) =>
  progress === undefined ? (
    <SpinnerIcon size={size} className={classNames(styles['turning'], className)} />
  ) : (
    <Drawing
      size={size}
      strokeWidth="2"
      strokeLinecap="butt"
      className={className}
      data-progress={Math.floor(Math.min(1, Math.max(0, progress)) * 100)}
    >
      <circle cx="8" cy="8" r="6" className={styles['track']} />
      <circle
        cx="8"
        cy="8"
        r="6"
        pathLength="1"
        strokeDasharray={`${Math.min(1, Math.max(0, progress))} 1`}
        transform="rotate(-90 8 8)"
        className={styles['done']}
      />
    </Drawing>
  )
