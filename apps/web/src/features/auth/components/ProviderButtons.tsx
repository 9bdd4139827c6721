import { useEffect } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { authenticationAddress, isEmbedded } from '#lib/providers.ts'
import type { Provider } from '../api.ts'
import { byLink } from '../api.ts'
import { onToken } from '../handover.ts'
import { titleOf } from '../providers-api.ts'
import styles from './ProviderButtons.module.css'
import { useSignIn } from './use-sign-in.ts'

/**
 * Identity providers don't allow their pages in a frame. Inside a frame, sign-in therefore opens a separate window, which hands
 * the token over to the frame.
 */
export const ProviderButtons = ({ providers }: { readonly providers: readonly Provider[] }) => {
  const { t } = useTranslation('features/auth')
  const { enter, error } = useSignIn()
  useEffect(() => (isEmbedded() ? onToken((token) => void enter(byLink(token))) : undefined), [enter])
  return (
    <div className={styles['providers']}>
      <ul className={styles['list']} aria-label={t('providers')}>
        {providers.map(({ name }) => (
          <li key={name}>
            <a
              className={styles['button']}
              href={authenticationAddress(name, location.search)}
              {...(isEmbedded() && { target: '_blank', rel: 'opener' })}
            >
              {t('continueWith', { provider: titleOf(name, providers) })}
            </a>
          </li>
        ))}
      </ul>
      {error && (
        <p role="alert" className={styles['problem']}>
          {problemMessage(error)}
        </p>
      )}
    </div>
  )
}
