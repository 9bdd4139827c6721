import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { formatDateTime } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { mentionsQuery } from './api.ts'
import styles from './MentionList.module.css'

/** The open threads in which someone has mentioned the user. Renders nothing if there are none. */
export const MentionList = () => {
  const { t } = useTranslation('features/comments')
  const id = useId()
  const { data = [] } = useQuery(mentionsQuery())
  if (data.length === 0) return null
  return (
    <section aria-labelledby={id} className={styles['mentions']}>
      <h2 id={id} className={styles['title']}>
        {t('mentions')}
      </h2>
      <ul className={styles['list']}>
        {data.map(({ comment_id, dataset_id, record_id, dataset_name, by, at }) => (
          <li key={comment_id}>
            <Link to="/dataset/$datasetId/record/$recordId" params={{ datasetId: dataset_id, recordId: record_id }}>
              {t('mentionedIn', { name: by.username ?? t('formerUser'), dataset: dataset_name })}
            </Link>{' '}
            <span className={styles['time']}>{formatDateTime(at)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
