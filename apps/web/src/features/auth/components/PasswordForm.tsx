import type { FormEvent } from 'react'
import { Suspense, useRef, useState } from 'react'
import { loadCodeStep, secondFactorRefusal } from '#features/second-factor/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { byPassword } from '../api.ts'
import styles from './PasswordForm.module.css'
import { useSignIn } from './use-sign-in.ts'

const CodeStep = lazyPart(loadCodeStep, { reportsFailure: true })

export const PasswordForm = () => {
  const { t } = useTranslation('features/auth')
  const [visible, setVisible] = useState(false)
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const passwordField = useRef<HTMLInputElement>(null)
  const [needsCode, setNeedsCode] = useState(false)
  const { enter, error, isPending } = useSignIn()
  const incomplete = username === '' || password === ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (incomplete || isPending) return
    void enter(byPassword(username, password), () => passwordField.current?.select())
  }
  const isCodeAccepted = error !== null && secondFactorRefusal(error) !== undefined
  if (isCodeAccepted && !needsCode) setNeedsCode(true)
  if (needsCode)
    return (
      <Suspense>
        <CodeStep
          busy={isPending}
          error={error}
          onCode={(code, onRefused) => void enter(byPassword(username, password, code), onRefused)}
          onBack={() => location.reload()}
        />
      </Suspense>
    )
  return (
    <form onSubmit={submit} className={styles['form']} noValidate>
      <Input
        label={t('username')}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        autoFocus
        value={username}
        onChange={(event) => setUsername(event.target.value)}
      />
      <Input
        ref={passwordField}
        label={t('password')}
        name="password"
        type={visible ? 'text' : 'password'}
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        after={
          password !== '' && (
            <button type="button" className={styles['show']} aria-pressed={visible} onClick={() => setVisible(!visible)}>
              {visible ? t('hide') : t('show')}
            </button>
          )
        }
      />
      <Button type="submit" look="primary" size="main" busy={isPending} blocked={incomplete} className={styles['submit']}>
        {t('signIn')}
      </Button>
      <p className={styles['quiet']}>{t('forgotten')}</p>
      <p className={styles['problem']} role="alert">
        {error && (error instanceof ApiError && error.status === 401 ? t('wrong') : problemMessage(error))}
      </p>
    </form>
  )
}
