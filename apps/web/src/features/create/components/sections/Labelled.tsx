import type { ComponentProps } from 'react'
import { useId } from 'react'
import { Select } from '#ui/controls/Select.tsx'
import styles from './Parts.module.css'

type Props<T extends string> = ComponentProps<typeof Select<T>> & { readonly fault?: string | null }

/** A select with its label above, like an input. */
export const LabelledSelect = <T extends string>({ fault, ...select }: Props<T>) => {
  const id = useId()
  return (
    <div className={styles['labelled']}>
      <span className={styles['label']} aria-hidden="true">
        {select.label}
      </span>
      <Select {...select} faultId={fault ? id : undefined} />
      {fault && (
        <p id={id} className={styles['fault']}>
          {fault}
        </p>
      )}
    </div>
  )
}

/** An error in something that isn't an input. It receives focus when it blocks saving. */
export const Fault = ({ children }: { readonly children: string }) => (
  <p role="alert" tabIndex={-1} data-fault="" className={styles['fault']}>
    {children}
  </p>
)
