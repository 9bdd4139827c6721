import styles from './Skeleton.module.css'

/**
 * A quiet placeholder of about the size of the expected content. Sizes are CSS lengths. The waiting region must set
 * `aria-busy`.
 */
export const Skeleton = ({ width = '100%', height = '1em' }: { readonly width?: string; readonly height?: string }) => (
  <span className={styles['skeleton']} style={{ width, height }} aria-hidden="true" />
)
