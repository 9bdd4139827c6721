import { classNames } from '../styles/class-names.ts'
import styles from './Button.module.css'
import type { ButtonProps } from './Button.tsx'

/** How a link looks that leads to what is to be done, as a button does it. */
export const buttonClass = (look: NonNullable<ButtonProps['look']> = 'plain', size: ButtonProps['size'] = 'normal'): string =>
  classNames(styles['button'], styles[look], size === 'main' && styles['main'])
