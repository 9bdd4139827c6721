import { formatScore } from '#i18n/format.ts'
import styles from './ItemScore.module.css'

export const ItemScore = ({ score }: { readonly score: number | null }) =>
  score !== null && <span className={styles['score']}>{formatScore(score)}</span>
