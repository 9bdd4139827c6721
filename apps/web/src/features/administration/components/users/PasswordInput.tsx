import { passwordFault, passwordMax, passwordMin } from '@postil/contract/people/password-rules.ts'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { isAboutField } from '#lib/api/field-faults.ts'
import { CopyButton } from '#ui/controls/CopyButton.tsx'
import { Input } from '#ui/controls/Input.tsx'

export const isPassword = (text: string): boolean => passwordFault(text) === null

/**
 * Whether the server rejected the password. The web app has already checked the length, so the reason is that the password is
 * easy to guess.
 */
export const isAboutPassword = (problem: unknown): boolean => isAboutField(problem, 'password')

type Props = {
  readonly value: string
  readonly onChange: (value: string) => void
  /** The error of the last attempt, or null. */
  readonly problem: unknown
}

/** A password input that shows its text, because the owner passes the password on to the user. */
export const PasswordInput = ({ value, onChange, problem }: Props) => {
  const { t } = useTranslation('features/administration')
  const input = useRef<HTMLInputElement>(null)
  const [dismissedProblem, setDismissedProblem] = useState<unknown>(null)
  const isWeak = isAboutPassword(problem) && dismissedProblem !== problem
  useEffect(() => {
    if (!isAboutPassword(problem)) return
    input.current?.focus({ preventScroll: true })
    input.current?.scrollIntoView({ block: 'center' })
  }, [problem])
  const errorText = value === '' ? null : passwordFault(value)
  const message =
    errorText === 'blank' ? t('users.passwordBlank') : t('users.passwordShort', { min: passwordMin, max: passwordMax })
  return (
    <Input
      ref={input}
      label={t('users.password')}
      hint={t('users.passwordHint')}
      error={isWeak ? t('users.passwordWeak') : errorText && message}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      after={<CopyButton label={t('users.copyPassword')} text={value} />}
      value={value}
      onChange={(event) => {
        // The error doesn't apply to a new password.
        setDismissedProblem(problem)
        onChange(event.target.value)
      }}
    />
  )
}
