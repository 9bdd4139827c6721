import type { FormEvent } from 'react'
import { useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { secondFactorRefusal } from '../refusal.ts'
import styles from './CodeStep.module.css'

type Props = {
  readonly busy: boolean
  readonly error: Error | null
  readonly onCode: (code: string, onRefused: () => void) => void
  readonly onBack: () => void
}

/** The second step of signing in: a code from the authenticator app, or a recovery code. */
export const CodeStep = ({ busy, error, onCode, onBack }: Props) => {
  const { t } = useTranslation('features/second-factor')
  const [code, setCode] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (code.trim() === '' || busy) return
    onCode(code, () => field.current?.select())
  }
  const refusal = secondFactorRefusal(error)
  const problem = error === null || refusal === 'needed' ? '' : refusal === 'wrong' ? t('wrong') : problemMessage(error)
  return (
    <form onSubmit={submit} className={styles['form']} noValidate>
      <p>{t('atSignIn.hint')}</p>
      <Input
        ref={field}
        label={t('atSignIn.code')}
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        autoFocus
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      <Button type="submit" look="primary" size="main" busy={busy} blocked={code.trim() === ''}>
        {t('atSignIn.signIn')}
      </Button>
      <p className={styles['problem']} role="alert">
        {problem}
      </p>
      <Button look="quiet" onClick={onBack}>
        {t('atSignIn.back')}
      </Button>
    </form>
  )
}
