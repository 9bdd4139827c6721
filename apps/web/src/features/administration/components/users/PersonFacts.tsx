import type { Person } from '@postil/contract/people/people.ts'
import { formatAgo, formatDateTime, formatList } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import styles from '../AdministrationPage.module.css'

/** A person's workspaces, last activity and second factor, in one line. */
export const PersonFacts = ({ person }: { readonly person: Person }) => {
  const { t } = useTranslation('features/administration')
  const { role, workspaces, last_active_at, second_factor } = person
  const places =
    role === 'owner'
      ? t('people.everywhere')
      : workspaces.length === 0
        ? t('people.nowhere')
        : formatList(
            workspaces.map(({ name }) => name),
            true,
          )
  return (
    <span className={styles['facts']}>
      <bdi>{places}</bdi>
      {' · '}
      {last_active_at === null ? (
        t('people.neverActive')
      ) : (
        <time dateTime={`${last_active_at}Z`} title={formatDateTime(last_active_at)}>
          {t('people.active', { ago: formatAgo(last_active_at, Date.now()) })}
        </time>
      )}
      {' · '}
      {second_factor ? t('people.factor') : t('people.noFactor')}
    </span>
  )
}
