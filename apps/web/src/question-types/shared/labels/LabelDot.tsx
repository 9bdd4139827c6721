import styles from './LabelDot.module.css'
import './label-colours.css'
import { labelColourProperties } from './label-colours.ts'

/** A dot in the label's color. Decorative, because the name next to it identifies the label. */
export const LabelDot = ({ hue }: { readonly hue: number | undefined }) =>
  hue === undefined ? null : <span className={styles['dot']} style={labelColourProperties(hue)} aria-hidden="true" />
