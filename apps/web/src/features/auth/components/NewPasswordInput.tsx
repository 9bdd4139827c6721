import { passwordFault, passwordMax, passwordMin } from '@postil/contract/people/password-rules.ts'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { isAboutField } from '#lib/api/field-faults.ts'
import { Input } from '#ui/controls/Input.tsx'
import styles from './PasswordForm.module.css'

type Props = {
  readonly value: string
  readonly onChange: (value: string) => void
  /** Whether to show what is wrong with the password. False while the user types the password for the first time. */
  readonly isChecked: boolean
  /** The error of the last attempt, or null. */
  readonly problem: unknown
}

/** An input for a password that a person chooses. */
export const NewPasswordInput = ({ value, onChange, isChecked, problem }: Props) => {
  const { t } = useTranslation('features/auth')
  const [visible, setVisible] = useState(false)
  const [dismissedProblem, setDismissedProblem] = useState<unknown>(null)
  const isWeak = isAboutField(problem, 'password') && dismissedProblem !== problem
  const fault = isChecked ? passwordFault(value) : null
  const rule = t('account.passwordRule', { min: passwordMin, max: passwordMax })
  return (
    <Input
      label={t('account.newPassword')}
      name="new-password"
      type={visible ? 'text' : 'password'}
      autoComplete="new-password"
      required
      hint={rule}
      error={isWeak ? t('account.passwordWeak') : fault && (fault === 'blank' ? t('account.passwordBlank') : rule)}
      value={value}
      onChange={(event) => {
        // The error doesn't apply to a new password.
        setDismissedProblem(problem)
        onChange(event.target.value)
      }}
      after={
        value !== '' && (
          <button type="button" className={styles['show']} aria-pressed={visible} onClick={() => setVisible(!visible)}>
            {visible ? t('hide') : t('show')}
          </button>
        )
      }
    />
  )
}
