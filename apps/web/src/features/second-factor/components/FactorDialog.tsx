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
import { Dialog } from '#ui/overlays/Dialog.tsx'
import { forgetDone, tellDone } from '#ui/telling/done.ts'
import { activateFactor, beginFactor, removeFactor, renewCodes, secondFactorQuery } from '../api.ts'
import { refusedFactor } from '../refusal.ts'
import { AppSecret } from './AppSecret.tsx'
import { CodeList } from './CodeList.tsx'
import styles from './FactorDialog.module.css'

type Act = 'setUp' | 'renew' | 'remove'
type Props = { readonly act: Act; readonly onClose: () => void }
type Fault = { readonly at: 'password' | 'code'; readonly text: string }

/** Sets a second factor up, makes new recovery codes, or removes it: each by what the user shows, step by step. */
export const FactorDialog = ({ act, onClose }: Props) => {
  const { t } = useTranslation('features/second-factor')
  const client = useQueryClient()
  const form = useId()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [app, setApp] = useState<NewSecondFactor | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault | null>(null)
  useEffect(forgetDone, [])
  const asksPassword = act === 'remove' || (act === 'setUp' && app === null)
  const asksCode = act !== 'setUp' || app !== null

  const step = async (): Promise<void> => {
    if (act === 'setUp' && app === null) return setApp(await beginFactor(password))
    if (act === 'remove') {
      await removeFactor(password, code)
      tellDone(t('removed'))
      onClose()
    } else {
      const given = await (act === 'setUp' ? activateFactor(code) : renewCodes(code))
      setCodes(given.recovery_codes)
    }
    await client.invalidateQueries(secondFactorQuery())
  }
  const faultOf = (error: unknown): Fault => {
    if (!(error instanceof ApiError) || error.status !== 422)
      return { at: asksCode ? 'code' : 'password', text: problemMessage(error) }
    return refusedFactor(error) === 'wrong' ? { at: 'code', text: t('wrong') } : { at: 'password', text: t('passwordWrong') }
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
  const isReady = (!asksPassword || password !== '') && (!asksCode || code.trim() !== '')
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t(act)}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" form={form} look={act === 'remove' ? 'danger' : 'primary'} busy={busy} disabled={!isReady}>
            {act === 'setUp' && app === null ? t('next') : act === 'setUp' ? t('turnOn') : t(act)}
          </Button>
        </>
      }
    >
      <form id={form} className={styles['form']} onSubmit={(event) => void submit(event)}>
        {app && <AppSecret app={app} />}
        {asksPassword && (
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
        {asksCode && (
          <Input
            label={t('code')}
            autoComplete="one-time-code"
            autoCorrect="off"
            spellCheck={false}
            autoFocus={!asksPassword}
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

/** The codes for when the device is lost: shown this one time. */
const Codes = ({ codes, onClose }: CodesProps) => {
  const { t } = useTranslation('features/second-factor')
  return (
    <Dialog
      open
      stays
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
