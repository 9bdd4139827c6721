import type { OpenInvitation } from '@postil/contract/people/account-links.ts'
import { passwordFault } from '@postil/contract/people/password-rules.ts'
import { getRouteApi } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { useEffect, useState } from 'react'
import { formatDateTime, formatList } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { isAboutField } from '#lib/api/field-faults.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { Notice } from '#ui/feedback/Notice.tsx'
import { byInvitation, isDeadLink, readInvitation } from '../account-links-api.ts'
import { LinkPage } from './LinkPage.tsx'
import { NewPasswordInput } from './NewPasswordInput.tsx'
import styles from './PasswordForm.module.css'
import { useSignIn } from './use-sign-in.ts'

const route = getRouteApi('/invitation')

/** The page that an invitation link opens. The invited person chooses a username and a password, and is then signed in. */
export const InvitationPage = () => {
  const { t } = useTranslation('features/auth')
  return (
    <LinkPage title={t('account.invitation')} read={readInvitation}>
      {(invitation, token, onDeadLink) => <AcceptForm invitation={invitation} token={token} onDeadLink={onDeadLink} />}
    </LinkPage>
  )
}

type FormProps = { readonly invitation: OpenInvitation; readonly token: string; readonly onDeadLink: () => void }

const AcceptForm = ({ invitation, token, onDeadLink }: FormProps) => {
  const { t } = useTranslation('features/auth')
  const { t: common } = useTranslation()
  const { user } = route.useLoaderData()
  const [username, setUsername] = useState(invitation.username)
  const [password, setPassword] = useState('')
  const [isChecked, setChecked] = useState(false)
  const [dismissedProblem, setDismissedProblem] = useState<unknown>(null)
  const { enter, error, isPending } = useSignIn()
  const name = username.trim()
  useEffect(() => {
    if (isDeadLink(error)) onDeadLink()
  }, [error, onDeadLink])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (isPending || name === '' || passwordFault(password) !== null) return
    void enter(byInvitation(token, name, password))
  }
  const isTaken = error instanceof ApiError && error.coded?.code === 'userExists'
  const isAboutForm = isTaken || isAboutField(error, 'password')
  const role = common(`user.role.${invitation.role}`)
  const { workspaces } = invitation
  return (
    <form onSubmit={submit} className={styles['form']} noValidate>
      <p>
        {workspaces.length === 0
          ? t('account.invited', { name: invitation.first_name, role })
          : t('account.invitedInto', {
              name: invitation.first_name,
              role,
              count: workspaces.length,
              workspaces: formatList(workspaces, true),
            })}
      </p>
      {user !== null && <Notice kind="warning">{t('account.signedInAs', { username: user.username })}</Notice>}
      <Input
        label={t('username')}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        required
        maxLength={500}
        hint={t('account.usernameHint')}
        error={
          isTaken && dismissedProblem !== error
            ? problemMessage(error)
            : isChecked && name === ''
              ? t('account.usernameEmpty')
              : null
        }
        value={username}
        onChange={(event) => {
          setDismissedProblem(error)
          setUsername(event.target.value)
        }}
      />
      <NewPasswordInput value={password} onChange={setPassword} isChecked={isChecked} problem={error} />
      <Button type="submit" look="primary" size="main" busy={isPending} className={styles['submit']}>
        {t('account.accept')}
      </Button>
      <p className={styles['quiet']}>{t('account.expires', { time: formatDateTime(invitation.expires_at) })}</p>
      <p className={styles['problem']} role="alert">
        {error && !isAboutForm && !isDeadLink(error) && problemMessage(error)}
      </p>
    </form>
  )
}
