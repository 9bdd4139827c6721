import { Link } from '@tanstack/react-router'
import { useTranslation } from '#i18n/use-translation.ts'
import { topics } from '../topics.ts'
import styles from './GuideTopics.module.css'

/** Links to each guide. */
export const GuideTopics = () => {
  const { t } = useTranslation('features/guides')
  return (
    <ul className={styles['topics']}>
      {topics.map((topic) => (
        <li key={topic}>
          <Link to="/guides" hash={topic} className={styles['topic']}>
            {t(`${topic}.title`)}
          </Link>
        </li>
      ))}
    </ul>
  )
}
