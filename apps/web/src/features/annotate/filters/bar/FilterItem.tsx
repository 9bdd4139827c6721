import type { ReactNode } from 'react'
import { useId } from 'react'
import { ChevronDownIcon, ChevronRightIcon } from '#ui/marks/icons.tsx'
import styles from './FilterPanel.module.css'

type Props = {
  readonly title: string
  /** The active condition, or null. */
  readonly summary: string | null
  readonly isOpen: boolean
  readonly onToggle: () => void
  readonly children: ReactNode
}

/** An entry of the filter panel: its name, its condition, and its controls below. */
export const FilterItem = ({ title, summary, isOpen, onToggle, children }: Props) => {
  const id = useId()
  const Arrow = isOpen ? ChevronDownIcon : ChevronRightIcon
  return (
    <li className={styles['item']} data-open={isOpen ? '' : undefined}>
      <h3>
        <button type="button" className={styles['head']} aria-expanded={isOpen} aria-controls={id} onClick={onToggle}>
          <Arrow size={14} />
          <bdi className={styles['name']}>{title}</bdi>
          {summary !== null && !isOpen && <span className={styles['summary']}>{summary}</span>}
        </button>
      </h3>
      <div id={id} className={styles['body']} hidden={!isOpen}>
        {isOpen && children}
      </div>
    </li>
  )
}
