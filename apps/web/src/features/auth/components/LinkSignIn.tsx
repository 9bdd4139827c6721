import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { byLink } from '../api.ts'
import styles from './LinkSignIn.module.css'
import { useSignIn } from './use-sign-in.ts'

/** Uses a one-time sign-in link. A link preview uses up the link only if it runs scripts. */
export const LinkSignIn = ({ token }: { readonly token: string }) => {
  const { t } = useTranslation('features/auth')
  const { enter, error } = useSignIn()
  const isLinkUsed = useRef(false)
  useEffect(() => {
    if (isLinkUsed.current) return
    isLinkUsed.current = true
    void enter(byLink(token))
  }, [token, enter])
  return (
    <div className={styles['state']}>
      <p role="status">{error ? '' : t('link.signingIn')}</p>
      {error && (
        <>
          <p role="alert">
            {error instanceof ApiError && error.status > 0 && error.status < 500 ? t('link.used') : problemMessage(error)}
          </p>
          <Link to="/sign-in" search={{ omitCTA: 'true' }} replace className="standing">
            {t('link.usePassword')}
          </Link>
        </>
      )}
    </div>
  )
}
