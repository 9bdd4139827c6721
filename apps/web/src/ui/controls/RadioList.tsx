import { useId } from 'react'
import { classNames } from '../styles/class-names.ts'
import styles from './RadioList.module.css'

type RadioOption<T extends string> = { readonly value: T; readonly label: string; readonly hint?: string }

type Props<T extends string> = {
  readonly legend: string
  readonly hideLegend?: boolean
  readonly options: readonly RadioOption<T>[]
  readonly value: T
  readonly onChange: (value: T) => void
}

/** A choice between options, each with an explanation below its label. */
export const RadioList = <T extends string>({ legend, hideLegend = false, options, value, onChange }: Props<T>) => {
  const name = useId()
  return (
    <fieldset className={styles['options']}>
      <legend className={classNames(hideLegend && 'visually-hidden')}>{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles['option']}>
          <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
          <span>
            <span className={styles['name']}>{option.label}</span>
            {option.hint !== undefined && <span className={styles['hint']}>{option.hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
