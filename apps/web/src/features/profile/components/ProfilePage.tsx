import { Suspense } from 'react'
import { useUser } from '#features/auth/public.ts'
import { loadSecondFactor } from '#features/second-factor/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Crumbs } from '#lib/shell/Crumbs.tsx'
import { HeaderContent } from '#lib/shell/header-slots.tsx'
import { Notice } from '#ui/feedback/Notice.tsx'
import { useClearSuccess } from '#ui/feedback/success-toast.ts'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { Avatar } from '#ui/marks/Avatar.tsx'
import { useDocumentTitle } from '#ui/page/use-document-title.ts'
import { ApiKey } from './ApiKey.tsx'
import { Appearance } from './Appearance.tsx'
import { Password } from './Password.tsx'
import styles from './ProfilePage.module.css'
import { Providers } from './Providers.tsx'
import { Sessions } from './Sessions.tsx'
import { ShortcutSettings } from './ShortcutSettings.tsx'
import { Workspaces } from './Workspaces.tsx'

const SecondFactor = lazyPart(loadSecondFactor)

/** The user's account, API key and display settings. */
export const ProfilePage = () => {
  const { t } = useTranslation('features/profile')
  const { t: common } = useTranslation()
  const user = useUser()
  useDocumentTitle(t('title'))
  useClearSuccess()
  const about: readonly (readonly [string, string])[] = [
    [t('username'), user.username],
    [t('firstName'), user.first_name],
    [t('lastName'), user.last_name ?? ''],
    [t('role'), common(`user.role.${user.role}`)],
  ]
  return (
    <main id="main" tabIndex={-1} className={styles['page']}>
      <HeaderContent crumbs={<Crumbs crumbs={[{ label: t('title'), link: { to: '/user-settings' } }]} />} />
      <div className={styles['top']}>
        <Avatar name={user.username} size="medium" />
        <h1 className={styles['title']}>{t('title')}</h1>
      </div>
      <section className={styles['part']} aria-labelledby="about">
        <h2 id="about">{t('about')}</h2>
        <dl className={styles['about']}>
          {about
            .filter(([, value]) => value !== '')
            .map(([name, value]) => (
              <div key={name} className={styles['row']}>
                <dt>{name}</dt>
                <dd>
                  <bdi>{value}</bdi>
                </dd>
              </div>
            ))}
          <div className={styles['row']}>
            <dt>{t('workspaces')}</dt>
            <dd>
              <Workspaces />
            </dd>
          </div>
        </dl>
      </section>
      {user.shared ? (
        <div className={styles['shared']}>
          <Notice>{t('shared')}</Notice>
        </div>
      ) : (
        <>
          <ApiKey value={user.api_key} userId={user.id} />
          <Password username={user.username} />
          <section className={styles['part']} aria-labelledby="factor">
            <Suspense>
              <SecondFactor />
            </Suspense>
          </section>
        </>
      )}
      <Appearance />
      <ShortcutSettings />
      {!user.shared && (
        <>
          <Providers />
          <Sessions />
        </>
      )}
    </main>
  )
}
