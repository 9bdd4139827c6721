import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { signInToken } from '#lib/url/sign-in-link.ts'
import { useDocumentTitle } from '#ui/page/use-document-title.ts'
import { isDeadLink } from '../account-links-api.ts'
import { AuthLayout } from './AuthLayout.tsx'
import styles from './LinkSignIn.module.css'

type Props<T> = {
  readonly title: string
  /** Reads what the link is for. */
  readonly read: (token: string) => Promise<T>
  readonly children: (found: T, token: string, onDeadLink: () => void) => ReactNode
}

/**
 * A page that a link opens. The token follows `#` in the URL, so that it is never logged. It stays there until the link has been
 * used.
 */
export const LinkPage = <T,>(props: Props<T>) => {
  const token = signInToken(useLocation({ select: ({ hash }) => hash }), undefined)
  // If the user opens another link in the same tab, only the part after `#` changes. The key then resets the page.
  return <LinkContent key={token} token={token} {...props} />
}

const LinkContent = <T,>({ token, title, read, children }: Props<T> & { readonly token: string | null }) => {
  const { t } = useTranslation('features/auth')
  const [found, setFound] = useState<T | null>(null)
  const [problem, setProblem] = useState<unknown>(null)
  const [isDead, setDead] = useState(token === null)
  useDocumentTitle(title)
  useEffect(() => {
    if (token === null) return
    let isCurrent = true
    read(token).then(
      (value) => isCurrent && setFound(value),
      (error: unknown) => isCurrent && (isDeadLink(error) ? setDead(true) : setProblem(error)),
    )
    return () => {
      isCurrent = false
    }
  }, [token, read])
  return (
    <AuthLayout title={title}>
      {isDead || problem !== null ? (
        <p role="alert">{isDead ? t('account.dead') : problemMessage(problem)}</p>
      ) : found === null || token === null ? (
        <p role="status">{t('account.reading')}</p>
      ) : (
        <div className={styles['state']}>{children(found, token, () => setDead(true))}</div>
      )}
    </AuthLayout>
  )
}
