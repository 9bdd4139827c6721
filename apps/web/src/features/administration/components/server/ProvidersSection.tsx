import { useQuery } from '@tanstack/react-query'
import { providersQuery } from '#features/auth/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { blockingError } from '#lib/api/blocking-error.ts'
import { providerTitle } from '#lib/providers.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import styles from '../AdministrationPage.module.css'
import { SectionHeader } from '../SectionHeader.tsx'

/** The identity providers that people can sign in through. They can only be changed in the server's configuration. */
export const ProvidersSection = () => {
  const { t } = useTranslation('features/administration')
  const read = useQuery(providersQuery())
  const { data: providers } = read
  const error = blockingError(read)
  if (error) throw error
  return (
    <>
      <SectionHeader title={t('section.providers')} count={providers?.length} />
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
