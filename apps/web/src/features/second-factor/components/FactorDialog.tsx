import type { NewSecondFactor } from '@postil/contract/people/second-factor.ts'
import { useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useEffect, useId, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { Button } from '#ui/controls/Button.tsx'
import { CopyButton } from '#ui/controls/CopyButton.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { clearSuccess, showSuccess } from '#ui/feedback/success-toast.ts'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import { activateFactor, beginFactor, removeFactor, renewCodes, secondFactorQuery } from '../api.ts'
import { secondFactorRefusal } from '../refusal.ts'
import { AppSecret } from './AppSecret.tsx'
import { CodeList } from './CodeList.tsx'
import styles from './FactorDialog.module.css'

type FactorAction = 'setUp' | 'renew' | 'remove'
type Props = { readonly action: FactorAction; readonly onClose: () => void }
type Fault = { readonly at: 'password' | 'code'; readonly text: string }

/**
 * Sets up a second factor, creates new recovery codes or removes the factor, step by step. Each step asks for proof of
 * identity.
 */
export const FactorDialog = ({ action, onClose }: Props) => {
  const { t } = useTranslation('features/second-factor')
  const client = useQueryClient()
  const form = useId()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [app, setApp] = useState<NewSecondFactor | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault | null>(null)
  useEffect(clearSuccess, [])
  const needsPassword = action === 'remove' || (action === 'setUp' && app === null)
  const needsCode = action !== 'setUp' || app !== null

  const step = async (): Promise<void> => {
    if (action === 'setUp' && app === null) return setApp(await beginFactor(password))
    if (action === 'remove') {
      await removeFactor(password, code)
      showSuccess(t('removed'))
      onClose()
    } else {
      const credentials = await (action === 'setUp' ? activateFactor(code) : renewCodes(code))
      setCodes(credentials.recovery_codes)
    }
    await client.invalidateQueries(secondFactorQuery())
  }
  const faultOf = (error: unknown): Fault => {
    if (!(error instanceof ApiError) || error.status !== 422)
      return { at: needsCode ? 'code' : 'password', text: problemMessage(error) }
    return secondFactorRefusal(error) === 'wrong'
      ? { at: 'code', text: t('wrong') }
      : { at: 'password', text: t('passwordWrong') }
  }
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    setFault(null)
    try {
      await step()
    } catch (error) {
      setFault(faultOf(error))
    } finally {
      setBusy(false)
    }
  }
  if (codes !== null) return <Codes codes={codes} onClose={onClose} />
  const isReady = (!needsPassword || password !== '') && (!needsCode || code.trim() !== '')
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t(action)}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" form={form} look={action === 'remove' ? 'danger' : 'primary'} busy={busy} disabled={!isReady}>
            {action === 'setUp' && app === null ? t('next') : action === 'setUp' ? t('turnOn') : t(action)}
          </Button>
        </>
      }
    >
      <form id={form} className={styles['form']} onSubmit={(event) => void submit(event)}>
        {app && <AppSecret app={app} />}
        {needsPassword && (
          <Input
            label={t('password')}
            type="password"
            autoComplete="current-password"
            autoFocus
            value={password}
            error={fault?.at === 'password' ? fault.text : null}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
        {needsCode && (
          <Input
            label={t('code')}
            autoComplete="one-time-code"
            autoCorrect="off"
            spellCheck={false}
            autoFocus={!needsPassword}
            value={code}
            error={fault?.at === 'code' ? fault.text : null}
            onChange={(event) => setCode(event.target.value)}
          />
        )}
      </form>
    </Dialog>
  )
}

type CodesProps = { readonly codes: readonly string[]; readonly onClose: () => void }

/** The recovery codes, which are shown only once. */
const Codes = ({ codes, onClose }: CodesProps) => {
  const { t } = useTranslation('features/second-factor')
  return (
    <Dialog
      open
      requiresButton
      onOpenChange={onClose}
      title={t('codes')}
      actions={
        <>
          <CopyButton label={t('copyCodes')} text={codes.join('\n')} />
          <Button look="primary" onClick={onClose}>
            {t('kept')}
          </Button>
        </>
      }
    >
      <CodeList codes={codes} />
    </Dialog>
  )
}
