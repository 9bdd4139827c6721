import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { ArrowRightIcon } from '#ui/marks/icons.tsx'
import styles from './HubStart.module.css'

type Props = {
  /** True if the dataset couldn't be read with the token that the user entered last. */
  readonly isRefused: boolean
  readonly onToken: (token: string) => void
}

export const HubTokenForm = ({ isRefused, onToken }: Props) => {
  const { t } = useTranslation('features/hub')
  const [token, setToken] = useState('')
  const [hasTried, setHasTried] = useState(false)
  const isEmpty = token.trim() === ''
  const fault = isRefused ? t('token.refused') : null
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setHasTried(true)
        if (!isEmpty) onToken(token.trim())
      }}
    >
      <Input
        type="password"
        autoComplete="new-password"
        autoCapitalize="none"
        spellCheck={false}
        label={t('token.label')}
        hint={t('token.hint')}
        error={hasTried && isEmpty ? t('token.missing') : fault}
        value={token}
        onChange={(event) => setToken(event.target.value)}
      />
      <div className={styles['action']}>
        <Button type="submit" icon={ArrowRightIcon}>
          {t('token.action')}
        </Button>
      </div>
    </form>
  )
}
