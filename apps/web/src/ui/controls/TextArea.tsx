import type { ComponentProps } from 'react'
import { useId } from 'react'
import { directionOfInput } from '#lib/text/direction.ts'
import { classNames } from '../styles/class-names.ts'
import styles from './TextArea.module.css'

type Props = ComponentProps<'textarea'> & {
  readonly label: string
  readonly hideLabel?: boolean
  readonly hint?: string
  readonly error?: string | null
}

/** A multi-line text field. It grows with its content, up to a maximum height. */
export const TextArea = ({ label, hideLabel, hint, error, className, id, ...rest }: Props) => {
  const generated = useId()
  const areaId = id ?? generated
  const note = error ?? hint
  return (
    <div className={classNames(styles['field'], className)}>
      <label htmlFor={areaId} className={hideLabel ? 'visually-hidden' : styles['label']}>
        {label}
      </label>
      <textarea
        dir={directionOfInput(rest.value)}
        {...rest}
        id={areaId}
        className={styles['area']}
        aria-invalid={error ? true : undefined}
        aria-describedby={note ? `${areaId}-note` : undefined}
      />
      {note && (
        <p id={`${areaId}-note`} className={error ? styles['error'] : styles['hint']}>
          {note}
        </p>
      )}
    </div>
  )
}
