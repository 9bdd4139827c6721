import styles from './LabelDot.module.css'
import './label-colours.css'
import { labelColourProperties } from './label-colours.ts'

/** A label's colour beside its name, which says all that the colour says. */
export const LabelDot = ({ hue }: { readonly hue: number | undefined }) =>
  hue === undefined ? null : <span className={styles['dot']} style={labelColourProperties(hue)} aria-hidden="true" />
