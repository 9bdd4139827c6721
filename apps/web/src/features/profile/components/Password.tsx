import { passwordFault, passwordMax, passwordMin } from '@postil/contract/people/password-rules.ts'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { clearSuccess, showSuccess } from '#ui/feedback/success-toast.ts'
import { changePassword } from '../api.ts'
import styles from './ProfilePage.module.css'

type Fault = { readonly current?: string | undefined; readonly next?: string | undefined }

/** Changes the password, given the current one. Signs out other browsers. */
export const Password = ({ username }: { readonly username: string }) => {
  const { t } = useTranslation('features/profile')
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault>({})

  const faultOf = (error: unknown): Fault => {
    if (!(error instanceof ApiError) || error.status !== 422) return { current: problemMessage(error) }
    return typeof error.detail === 'string' ? { current: t('passwordWrong') } : { next: t('passwordWeak') }
  }
  /** An error about the previous input no longer applies. */
  const edit = (field: keyof Fault, text: string): void => {
    clearSuccess()
    setFault({ ...fault, [field]: undefined })
    if (field === 'current') setCurrent(text)
    else setNext(text)
  }
  const change = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    clearSuccess()
    const fieldFault = passwordFault(next)
    if (fieldFault !== null) {
      setFault({
        next: fieldFault === 'blank' ? t('passwordBlank') : t('passwordLength', { min: passwordMin, max: passwordMax }),
      })
      return
    }
    setBusy(true)
    setFault({})
    try {
      await changePassword(current, next)
      setCurrent('')
      setNext('')
      showSuccess(t('passwordChanged'))
    } catch (error) {
      setFault(faultOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <section className={styles['part']} aria-labelledby="password">
      <h2 id="password">{t('password')}</h2>
      <p className={styles['hint']}>{t('passwordHint')}</p>
      <form className={styles['form']} onSubmit={(event) => void change(event)}>
        {/* Tells password managers which account the passwords belong to. */}
        <input hidden readOnly name="username" autoComplete="username" value={username} />
        <Input
          label={t('passwordCurrent')}
          type="password"
          autoComplete="current-password"
          required
          value={current}
          error={fault.current ?? null}
          onChange={(event) => edit('current', event.target.value)}
        />
        <Input
          label={t('passwordNew')}
          type="password"
          autoComplete="new-password"
          required
          value={next}
          error={fault.next ?? null}
          onChange={(event) => edit('next', event.target.value)}
        />
        <Button type="submit" busy={busy} disabled={current === '' || next === ''}>
          {t('passwordChange')}
        </Button>
      </form>
    </section>
  )
}
