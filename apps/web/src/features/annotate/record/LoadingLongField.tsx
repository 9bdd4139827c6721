import type { ReactNode } from 'react'
import { exceedsFold } from './fold-limit.ts'
import styles from './LongField.module.css'

/** A long field whose code isn't loaded yet. It already has its final height, so that the fields below don't move. */
export const LoadingLongField = ({ children }: { readonly children: ReactNode }) => (
  <>
    <div
      ref={(frame) => {
        if (frame && exceedsFold(frame)) frame.dataset['cut'] = ''
      }}
      className={styles['frame']}
    >
      {children}
    </div>
    <div className={styles['reserved']} />
  </>
)
