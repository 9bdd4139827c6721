import { useId } from 'react'
import styles from './Switch.module.css'

type Props = {
  readonly label: string
  readonly hint?: string
  readonly checked: boolean
  readonly disabled?: boolean
  readonly onChange: (checked: boolean) => void
}

/** On or off, with words that say what is on. */
export const Switch = ({ label, hint, checked, disabled, onChange }: Props) => {
  const id = useId()
  return (
    <div className={styles['row']}>
      <input
        id={id}
        type="checkbox"
        role="switch"
        className={styles['control']}
        checked={checked}
        disabled={disabled}
        aria-checked={checked}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <div className={styles['words']}>
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p id={`${id}-hint`} className={styles['hint']}>
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}
