import { classNames } from '../styles/class-names.ts'
import styles from './Button.module.css'
import type { ButtonProps } from './Button.tsx'

/** Returns classes that make a link look like a button, for links that lead to an action. */
export const buttonClass = (look: NonNullable<ButtonProps['look']> = 'plain', size: ButtonProps['size'] = 'normal'): string =>
  classNames(styles['button'], styles[look], size === 'main' && styles['main'])
