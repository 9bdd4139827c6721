import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '#i18n/use-translation.ts'
import { ProblemText } from '#ui/feedback/ProblemNotice.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { myWorkspacesQuery } from '../api.ts'
import styles from './ProfilePage.module.css'

/** The user's workspaces, with links to their datasets. */
export const Workspaces = () => {
  const { t } = useTranslation('features/profile')
  const { data, error } = useQuery(myWorkspacesQuery())
  if (error) return <ProblemText error={error} isAlert />
  if (!data) return <Skeleton width="8rem" height="1lh" />
  if (data.length === 0) return <span>{t('noWorkspaces')}</span>
  return (
    <ul className={styles['workspaces']}>
      {data.map(({ id, name }) => (
        <li key={id}>
          <Link to="/" search={{ workspaces: name }} className="standing">
            <bdi>{name}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  )
}
