import type { ReactNode } from 'react'
import type { Icon } from '../marks/first-icons.tsx'
import { DangerIcon, InfoIcon, WarningIcon } from '../marks/first-icons.tsx'
import styles from './Notice.module.css'

type Kind = 'info' | 'warning' | 'danger'
const icons: { readonly [K in Kind]: Icon } = { info: InfoIcon, warning: WarningIcon, danger: DangerIcon }

/** A notice about a lasting state, shown next to what it concerns. */
export const Notice = ({
  kind = 'info',
  icon,
  action,
  children,
}: {
  readonly kind?: Kind
  readonly icon?: Icon
  readonly action?: ReactNode
  readonly children: ReactNode
}) => {
  const Mark = icon ?? icons[kind]
  return (
    <div className={styles['notice']} data-kind={kind}>
      <Mark />
      <div className={styles['text']}>{children}</div>
      {action}
    </div>
  )
}
