import type { ComponentProps } from 'react'
import type { Side } from '../floating/place.ts'
import type { Icon } from '../marks/first-icons.tsx'
import { Tooltip } from '../overlays/Tooltip.tsx'
import { classNames } from '../styles/class-names.ts'
import styles from './IconButton.module.css'

type IconButtonProps = Omit<ComponentProps<'button'>, 'children' | 'aria-label'> & {
  readonly icon: Icon
  /** The accessible name: what the button does. Sighted users see it as a tooltip. */
  readonly label: string
  /** Where the tooltip is shown. Above the button by default. */
  readonly tooltipSide?: Side
  readonly pressed?: boolean
  /** A number next to the icon, for sighted users. The accessible name must contain it too. */
  readonly count?: string | undefined
  /** Whether the label is visible if the container has room for it. The container sets `--label-display` and `--label-width`. */
  readonly showsLabel?: boolean
}

export const IconButton = ({
  icon: Mark,
  label,
  tooltipSide,
  pressed,
  count,
  showsLabel = false,
  className,
  ...rest
}: IconButtonProps) => (
  <Tooltip text={label} side={tooltipSide} isName>
    <button type="button" {...rest} aria-label={label} aria-pressed={pressed} className={classNames(styles['button'], className)}>
      <Mark />
      {showsLabel && (
        <span className={styles['label']} aria-hidden="true">
          {label}
        </span>
      )}
      {count !== undefined && (
        <span className={styles['count']} aria-hidden="true">
          {count}
        </span>
      )}
    </button>
  </Tooltip>
)
