import styles from './Skeleton.module.css'

/** A quiet place holder of about the size of what comes. Sizes are CSS lengths. The region that waits says `aria-busy`. */
export const Skeleton = ({ width = '100%', height = '1em' }: { readonly width?: string; readonly height?: string }) => (
  <span className={styles['skeleton']} style={{ width, height }} aria-hidden="true" />
)
