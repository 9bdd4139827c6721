import type { FormEvent } from 'react'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { Button } from '#ui/Button.tsx'
import { Input } from '#ui/Input.tsx'
import { toast } from '#ui/toast.ts'
import { changePassword } from '../api.ts'
import styles from './ProfilePage.module.css'

/** The server's bounds, in characters. */
const SHORTEST = 8
const LONGEST = 100

type Fault = { readonly current?: string; readonly next?: string }

/** Another password, by the one that the user has. Other browsers are signed out. */
export const Password = ({ username }: { readonly username: string }) => {
  const { t } = useTranslation('features/profile')
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault>({})
  const characters = Array.from(next).length
  const isLong = characters >= SHORTEST && characters <= LONGEST

  const faultOf = (error: unknown): Fault => {
    if (!(error instanceof ApiError) || error.status !== 422) return { current: problemMessage(error) }
    return typeof error.detail === 'string' ? { current: t('passwordWrong') } : { next: t('passwordWeak') }
  }
  const change = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (!isLong) {
      setFault({ next: t('passwordLength', { min: SHORTEST, max: LONGEST }) })
      return
    }
    setBusy(true)
    setFault({})
    try {
      await changePassword(current, next)
      setCurrent('')
      setNext('')
      toast({ text: t('passwordChanged'), kind: 'success' })
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
        {/* NOTE: tells password managers whose passwords these are */}
        <input hidden readOnly name="username" autoComplete="username" value={username} />
        <Input
          label={t('passwordCurrent')}
          type="password"
          autoComplete="current-password"
          required
          value={current}
          error={fault.current ?? null}
          onChange={(event) => setCurrent(event.target.value)}
        />
        <Input
          label={t('passwordNew')}
          type="password"
          autoComplete="new-password"
          required
          value={next}
          error={fault.next ?? null}
          onChange={(event) => setNext(event.target.value)}
        />
        <Button type="submit" busy={busy} disabled={current === '' || next === ''}>
          {t('passwordChange')}
        </Button>
      </form>
    </section>
  )
}
