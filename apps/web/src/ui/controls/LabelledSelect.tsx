import { type ComponentProps, useId } from 'react'
import styles from './LabelledSelect.module.css'
import { Select } from './Select.tsx'

type Props<T extends string> = Omit<ComponentProps<typeof Select<T>>, 'faultId' | 'hintId'> & {
  readonly hint?: string
  readonly fault?: string | null
}

/** A select with its label above, like an input. */
export const LabelledSelect = <T extends string>({ hint, fault, ...select }: Props<T>) => {
  const id = useId()
  return (
    <div className={styles['labelled']}>
      <span className={styles['label']} aria-hidden="true">
        {select.label}
      </span>
      {hint !== undefined && (
        <span id={`${id}-hint`} className={styles['hint']}>
          {hint}
        </span>
      )}
      <Select {...select} hintId={hint === undefined ? undefined : `${id}-hint`} faultId={fault ? id : undefined} />
      {fault && (
        <p id={id} className={styles['fault']}>
          {fault}
        </p>
      )}
    </div>
  )
}
