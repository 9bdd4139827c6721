import { useQuery } from '@tanstack/react-query'
import { providersQuery } from '#features/auth/service.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { unread } from '#lib/api/unread.ts'
import { providerTitle } from '#lib/providers.ts'
import { Skeleton } from '#ui/waiting/Skeleton.tsx'
import styles from '../AdministrationPage.module.css'
import { SectionHead } from '../SectionHead.tsx'

/** Where else people may sign in; only the configuration of the server can change it. */
export const ProvidersSection = () => {
  const { t } = useTranslation('features/administration')
  const read = useQuery(providersQuery())
  const { data: providers } = read
  const error = unread(read)
  if (error) throw error
  return (
    <>
      <SectionHead title={t('section.providers')} count={providers?.length} />
      <p className={styles['none']}>{providers?.length === 0 ? t('providers.none') : t('providers.explain')}</p>
      {!providers && <Skeleton height="6lh" />}
      {providers && providers.length > 0 && (
        <ul className={styles['providers']} aria-labelledby="section-title">
          {providers.map((provider) => (
            <li key={provider.name} className={styles['row']}>
              <div className={styles['who']}>
                <bdi className={styles['name']}>{providerTitle(provider)}</bdi>
                <span className={styles['names']}>{t('providers.name', { name: provider.name })}</span>
              </div>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
