import type { OpenPasswordLink } from '@postil/contract/people/account-links.ts'
import { passwordFault } from '@postil/contract/people/password-rules.ts'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import { formatDateTime } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { isAboutField } from '#lib/api/field-faults.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Notice } from '#ui/feedback/Notice.tsx'
import { isDeadLink, readPasswordLink, setPasswordByLink } from '../account-links-api.ts'
import { invalidateSession } from '../api.ts'
import { LinkPage } from './LinkPage.tsx'
import { NewPasswordInput } from './NewPasswordInput.tsx'
import styles from './PasswordForm.module.css'

const route = getRouteApi('/new-password')

/**
 * The page on which users set a new password. They get there by a link. The page doesn't sign the user in. If the user has a
 * second factor, it is requested at sign-in.
 */
export const NewPasswordPage = () => {
  const { t } = useTranslation('features/auth')
  return (
    <LinkPage title={t('account.setPassword')} read={readPasswordLink}>
      {(link, token, onDeadLink) => <NewPasswordForm link={link} token={token} onDeadLink={onDeadLink} />}
    </LinkPage>
  )
}

type FormProps = { readonly link: OpenPasswordLink; readonly token: string; readonly onDeadLink: () => void }

const NewPasswordForm = ({ link, token, onDeadLink }: FormProps) => {
  const { t } = useTranslation('features/auth')
  const client = useQueryClient()
  const { user } = route.useLoaderData()
  const [password, setPassword] = useState('')
  const [isChecked, setChecked] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)
  const [isDone, setDone] = useState(false)
  const toSignIn = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isDone) toSignIn.current?.focus()
  }, [isDone])
  const save = async (): Promise<void> => {
    setBusy(true)
    setProblem(null)
    try {
      await setPasswordByLink(token, password)
      // The new password ends all sessions of its user. The session of this browser may be one of them.
      invalidateSession(client)
      setDone(true)
    } catch (error) {
      if (isDeadLink(error)) onDeadLink()
      else setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (!busy && passwordFault(password) === null) void save()
  }
  const otherUser = user !== null && user.username !== link.username && (
    <Notice kind="warning">{t('account.otherUser', { username: user.username, owner: link.username })}</Notice>
  )
  if (isDone)
    return (
      <>
        <p role="status">{t('account.passwordSet')}</p>
        {otherUser}
        <Link ref={toSignIn} to="/sign-in" search={{ omitCTA: 'true' }} replace className="standing">
          {t('signIn')}
        </Link>
      </>
    )
  return (
    <form onSubmit={submit} className={styles['form']} noValidate>
      <p>{t('account.passwordOf', { username: link.username })}</p>
      {otherUser}
      {/* Tells password managers which account the password belongs to. */}
      <input hidden readOnly name="username" autoComplete="username" value={link.username} />
      <NewPasswordInput value={password} onChange={setPassword} isChecked={isChecked} problem={problem} />
      <Button type="submit" look="primary" size="main" busy={busy} className={styles['submit']}>
        {t('account.setPassword')}
      </Button>
      <p className={styles['quiet']}>{t('account.expires', { time: formatDateTime(link.expires_at) })}</p>
      <p className={styles['problem']} role="alert">
        {problem !== null && !isAboutField(problem, 'password') && problemMessage(problem)}
      </p>
    </form>
  )
}
