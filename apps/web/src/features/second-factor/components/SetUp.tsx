import type { NewSecondFactor } from '@postil/contract/people/second-factor.ts'
import type { FormEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { Button } from '#ui/controls/Button.tsx'
import { CopyButton } from '#ui/controls/CopyButton.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { activateFactor, beginFactor } from '../api.ts'
import { secondFactorRefusal } from '../refusal.ts'
import { AppSecret } from './AppSecret.tsx'
import { CodeList } from './CodeList.tsx'
import styles from './SetUp.module.css'

type Done = {
  /** Why the last step failed. */
  readonly error: Error | null
  readonly onDone: () => void
}
type Props = Done & { readonly onBack: () => void }

/** Guides the user through setting up a second factor. The user can't use Postil until the second factor is set up. */
export const SetUp = ({ onBack, ...done }: Props) => {
  const { t } = useTranslation('features/second-factor')
  const [app, setApp] = useState<NewSecondFactor | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [code, setCode] = useState('')
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const step = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (busy || (app !== null && code.trim() === '')) return
    setBusy(true)
    setFault(null)
    try {
      if (app === null) setApp(await beginFactor())
      else setCodes((await activateFactor(code)).recovery_codes)
    } catch (error) {
      setFault(secondFactorRefusal(error) === 'wrong' ? t('wrong') : problemMessage(error))
      field.current?.select()
    } finally {
      setBusy(false)
    }
  }
  if (codes !== null) return <RecoveryCodesStep codes={codes} {...done} />
  return (
    <form className={styles['form']} onSubmit={(event) => void step(event)} noValidate>
      {app === null ? <p>{t('due.hint')}</p> : <AppSecret app={app} />}
      {app && (
        <Input
          ref={field}
          label={t('code')}
          autoComplete="one-time-code"
          inputMode="numeric"
          autoCorrect="off"
          spellCheck={false}
          autoFocus
          value={code}
          error={fault}
          onChange={(event) => setCode(event.target.value)}
        />
      )}
      <Button type="submit" look="primary" size="main" busy={busy} blocked={app !== null && code.trim() === ''}>
        {app === null ? t('setUp') : t('turnOn')}
      </Button>
      <p className={styles['problem']} role="alert">
        {app === null && fault}
      </p>
      <Button look="quiet" onClick={onBack}>
        {t('atSignIn.back')}
      </Button>
    </form>
  )
}

type RecoveryCodesProps = Done & { readonly codes: readonly string[] }

/** The recovery codes. The focus moves to the heading, so that a key press meant for the previous step can't close them. */
const RecoveryCodesStep = ({ codes, error, onDone }: RecoveryCodesProps) => {
  const { t } = useTranslation('features/second-factor')
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className={styles['form']} aria-labelledby="codes">
      <h2 id="codes" ref={heading} tabIndex={-1} className={styles['heading']}>
        {t('codes')}
      </h2>
      <CodeList codes={codes} />
      <div className={styles['acts']}>
        <CopyButton label={t('copyCodes')} text={codes.join('\n')} />
        <Button look="primary" size="main" onClick={onDone}>
          {t('kept')}
        </Button>
      </div>
      <p className={styles['problem']} role="alert">
        {error && problemMessage(error)}
      </p>
    </section>
  )
}
