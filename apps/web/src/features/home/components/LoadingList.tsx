import { Skeleton } from '#ui/loading/Skeleton.tsx'
import styles from './LoadingList.module.css'

export const LoadingList = () => (
  <div className={styles['list']}>
    {['60%', '45%', '55%', '40%', '50%', '35%'].map((width) => (
      <div key={width} className={styles['row']}>
        <Skeleton width={width} height="1.125rem" />
        <Skeleton width="30%" height="0.8rem" />
      </div>
    ))}
  </div>
)
