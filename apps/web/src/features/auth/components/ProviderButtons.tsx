import { useTranslation } from 'react-i18next'
import { href } from '#lib/api/base.ts'
import type { Provider } from '../api.ts'
import styles from './ProviderButtons.module.css'

const names: { readonly [name: string]: string } = {
  huggingface: 'Hugging Face',
  github: 'GitHub',
  'google-oauth2': 'Google',
  keycloak: 'Keycloak',
}

const isEmbedded = (): boolean => window.top !== window

/** A provider's page refuses to be shown in a frame: from within one it opens in a window of its own. */
export const ProviderButtons = ({ providers }: { readonly providers: readonly Provider[] }) => {
  const { t } = useTranslation('features/auth')
  return (
    <ul className={styles['list']} aria-label={t('providers')}>
      {providers.map(({ name }) => (
        <li key={name}>
          <a
            className={styles['button']}
            href={href(`/api/v1/oauth2/providers/${encodeURIComponent(name)}/authentication${location.search}`)}
            {...(isEmbedded() && { target: '_blank', rel: 'opener' })}
          >
            {t('continueWith', { provider: names[name] ?? name })}
          </a>
        </li>
      ))}
    </ul>
  )
}
