import { useId } from 'react'
import styles from './Switch.module.css'

type Props = {
  readonly label: string
  readonly hint?: string
  /** The id of what it is a switch of, where several are called the same. */
  readonly of?: string
  readonly checked: boolean
  readonly disabled?: boolean
  readonly onChange: (checked: boolean) => void
}

/** On or off, with words that say what is on. */
export const Switch = ({ label, hint, of, checked, disabled, onChange }: Props) => {
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
        aria-labelledby={of && `${id}-label ${of}`}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <div className={styles['words']}>
        <label id={`${id}-label`} htmlFor={id}>
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className={styles['hint']}>
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}
