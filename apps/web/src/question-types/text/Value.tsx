import { directionOf } from '#lib/text/direction.ts'
import type { ValueProps } from '../define.ts'
import styles from './Editor.module.css'

export const TextValue = ({ value }: ValueProps<'text'>) => (
  <p className={styles['plain']} dir={directionOf(value)}>
    {value}
  </p>
)
