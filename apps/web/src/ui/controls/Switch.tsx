import { useId } from 'react'
import styles from './Switch.module.css'

type Props = {
  readonly label: string
  readonly hint?: string
  /** The ID of the element that the switch belongs to, if several switches have the same label. */
  readonly of?: string
  readonly checked: boolean
  readonly disabled?: boolean
  readonly onChange: (checked: boolean) => void
}

/** An on/off switch. Its label names what it turns on. */
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
