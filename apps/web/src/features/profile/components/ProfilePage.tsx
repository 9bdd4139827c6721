import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useUser } from '#features/auth/public.ts'
import { loadSecondFactor } from '#features/second-factor/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { href } from '#lib/api/base.ts'
import { Crumbs } from '#lib/shell/Crumbs.tsx'
import { HeaderContent } from '#lib/shell/header-slots.tsx'
import { Button } from '#ui/controls/Button.tsx'
import { CopyButton } from '#ui/controls/CopyButton.tsx'
import { Notice } from '#ui/feedback/Notice.tsx'
import { ProblemText } from '#ui/feedback/ProblemNotice.tsx'
import { useClearSuccess } from '#ui/feedback/success-toast.ts'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { Avatar } from '#ui/marks/Avatar.tsx'
import { VisuallyHidden } from '#ui/marks/VisuallyHidden.tsx'
import { useDocumentTitle } from '#ui/page/use-document-title.ts'
import { myWorkspacesQuery } from '../api.ts'
import { Appearance } from './Appearance.tsx'
import { NewKey } from './NewKey.tsx'
import { Password } from './Password.tsx'
import styles from './ProfilePage.module.css'
import { Providers } from './Providers.tsx'
import { Sessions } from './Sessions.tsx'
import { ShortcutSettings } from './ShortcutSettings.tsx'

/** The user's workspaces, with links to their datasets. */
const Workspaces = () => {
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

const dots = '•'.repeat(24)

const ApiKey = ({ value, userId }: { readonly value: string; readonly userId: string }) => {
  const { t } = useTranslation('features/profile')
  const [isShown, setShown] = useState(false)
  return (
    <section className={styles['part']} aria-labelledby="key">
      <h2 id="key">{t('key')}</h2>
      <p className={styles['hint']}>{t('keyHint')}</p>
      <div className={styles['key']}>
        <code className={styles['value']}>
          {isShown ? value : <span aria-hidden="true">{dots}</span>}
          {!isShown && <VisuallyHidden>{t('keyHidden')}</VisuallyHidden>}
        </code>
        <CopyButton label={t('copyKey')} text={value} />
        <Button aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? t('hideKey') : t('showKey')}
        </Button>
        <NewKey userId={userId} />
      </div>
    </section>
  )
}

/** The address that agents connect to. */
const AgentAddress = () => {
  const { t } = useTranslation('features/profile')
  const address = `${location.origin}${href('/mcp')}`
  return (
    <section className={styles['part']} aria-labelledby="connect">
      <h2 id="connect">{t('connect')}</h2>
      <p className={styles['hint']}>{t('connectHint')}</p>
      <div className={styles['key']}>
        <code className={styles['value']}>{address}</code>
        <CopyButton label={t('copyAddress')} text={address} />
      </div>
    </section>
  )
}

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
          <AgentAddress />
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
