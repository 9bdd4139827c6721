import type { MyIdentity, OauthProvider } from '@postil/contract/people/oauth.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { providersQuery, rememberPath } from '#features/auth/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { authenticationAddress, isEmbedded, providerTitle, rememberLinking } from '#lib/providers.ts'
import { Button } from '#ui/controls/Button.tsx'
import { buttonClass } from '#ui/controls/button-class.ts'
import { toastProblem } from '#ui/feedback/toast.ts'
import { identitiesQuery, unlinkProvider } from '../api.ts'
import styles from './ProfilePage.module.css'

/** Other ways for the user to sign in. Renders nothing in a frame, where the redirect to a provider and back doesn't work. */
export const Providers = () => {
  const { t } = useTranslation('features/profile')
  const { data: providers } = useQuery(providersQuery())
  const { data: identities } = useQuery(identitiesQuery())
  if (!providers || providers.length === 0 || !identities || isEmbedded()) return null
  return (
    <section className={styles['part']} aria-labelledby="providers">
      <h2 id="providers">{t('providers')}</h2>
      <p className={styles['hint']}>{t('providersHint')}</p>
      <dl className={styles['about']}>
        {providers.map((provider) => (
          <div key={provider.name} className={styles['row']} data-centred>
            <dt>
              <bdi>{providerTitle(provider)}</bdi>
            </dt>
            <dd>
              <ProviderLink provider={provider} identity={identities.find((one) => one.provider === provider.name)} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

type Props = { readonly provider: OauthProvider; readonly identity: MyIdentity | undefined }

const ProviderLink = ({ provider, identity }: Props) => {
  const { t } = useTranslation('features/profile')
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const title = providerTitle(provider)
  const unlink = async (): Promise<void> => {
    setBusy(true)
    await unlinkProvider(provider.name)
      .then(() => client.invalidateQueries({ queryKey: identitiesQuery().queryKey }))
      .catch(toastProblem)
    setBusy(false)
  }
  if (!identity) {
    return (
      <a
        className={buttonClass('plain')}
        href={authenticationAddress(provider.name, '')}
        onClick={() => {
          rememberLinking(provider.name)
          rememberPath('/user-settings')
        }}
      >
        {t('link', { provider: title })}
      </a>
    )
  }
  return (
    <span className={styles['linked']}>
      {t('linked')}
      {identity.removable && (
        <Button busy={busy} onClick={() => void unlink()}>
          {t('unlink', { provider: title })}
        </Button>
      )}
    </span>
  )
}
