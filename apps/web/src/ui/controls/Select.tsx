import { useId } from 'react'
import { ChevronDownIcon } from '../marks/first-icons.tsx'
import styles from './Select.module.css'

export type Option<T extends string> = {
  readonly value: T
  readonly label: string
  /** Whether the option can't be chosen. The label says why. */
  readonly isDisabled?: boolean
}

type Props<T extends string> = {
  readonly label: string
  readonly value: T
  readonly options: readonly Option<T>[]
  readonly onChange: (value: T) => void
  /** The ID of the hint. Omitted if there is none. */
  readonly hintId?: string | undefined
  /** The ID of the error message. Omitted if the choice is valid. */
  readonly faultId?: string | undefined
}

/** A control to choose one option from a list. Uses the browser's own list, which fits every screen and input device. */
export const Select = <T extends string>({ label, value, options, onChange, hintId, faultId }: Props<T>) => {
  const id = useId()
  return (
    <span className={styles['select']}>
      <select
        id={id}
        aria-label={label}
        aria-invalid={faultId !== undefined || undefined}
        aria-describedby={[hintId, faultId].filter((one) => one !== undefined).join(' ') || undefined}
        className={styles['control']}
        value={value}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.target.value)
          if (chosen) onChange(chosen.value)
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.isDisabled}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDownIcon className={styles['icon']} />
    </span>
  )
}
