import type { ComponentProps, ReactNode } from 'react'
import { useId } from 'react'
import { directionOfInput } from '#lib/text/direction.ts'
import { classNames } from '../styles/class-names.ts'
import styles from './Input.module.css'

type InputProps = ComponentProps<'input'> & {
  readonly label: string
  /** Whether only screen readers get the label. Use this if an icon or the position makes the label obvious. */
  readonly hideLabel?: boolean
  readonly hint?: string
  readonly error?: string | null
  readonly before?: ReactNode
  readonly after?: ReactNode
}

export const Input = ({ label, hideLabel, hint, error, before, after, className, id, ...rest }: InputProps) => {
  const generated = useId()
  const inputId = id ?? generated
  const noteId = `${inputId}-note`
  const note = error ?? hint
  return (
    <div className={classNames(styles['field'], className)}>
      <label htmlFor={inputId} className={hideLabel ? 'visually-hidden' : styles['label']}>
        {label}
      </label>
      <div className={styles['box']} data-invalid={error ? '' : undefined}>
        {before}
        <input
          dir={directionOfInput(rest.value, rest.type)}
          {...rest}
          id={inputId}
          className={styles['input']}
          aria-invalid={error ? true : undefined}
          aria-describedby={note ? noteId : undefined}
        />
        {after}
      </div>
      {note && (
        <p id={noteId} className={error ? styles['error'] : styles['hint']}>
          {note}
        </p>
      )}
    </div>
  )
}
