import { passwordFault, passwordMax, passwordMin } from '@postil/contract/people/password-rules.ts'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { isAboutField } from '#lib/api/field-faults.ts'
import { CopyButton } from '#ui/controls/CopyButton.tsx'
import { Input } from '#ui/controls/Input.tsx'

export const isPassword = (text: string): boolean => passwordFault(text) === null

/** Whether the server does not take a password: it would be guessed soon. */
export const isAboutPassword = (problem: unknown): boolean => isAboutField(problem, 'password')

type Props = {
  readonly value: string
  readonly onChange: (value: string) => void
  /** Why it could not be stored; null when it could. */
  readonly problem: unknown
}

/** A password to hand over: shown, because somebody else has to get it. */
export const PasswordInput = ({ value, onChange, problem }: Props) => {
  const { t } = useTranslation('features/administration')
  const input = useRef<HTMLInputElement>(null)
  const [answered, setAnswered] = useState<unknown>(null)
  const isWeak = isAboutPassword(problem) && answered !== problem
  useEffect(() => {
    if (!isAboutPassword(problem)) return
    input.current?.focus({ preventScroll: true })
    input.current?.scrollIntoView({ block: 'center' })
  }, [problem])
  const wrong = value === '' ? null : passwordFault(value)
  const said = wrong === 'blank' ? t('users.passwordBlank') : t('users.passwordShort', { min: passwordMin, max: passwordMax })
  return (
    <Input
      ref={input}
      label={t('users.password')}
      hint={t('users.passwordHint')}
      error={isWeak ? t('users.passwordWeak') : wrong && said}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      after={<CopyButton label={t('users.copyPassword')} text={value} />}
      value={value}
      onChange={(event) => {
        // Another one is not refused yet.
        setAnswered(problem)
        onChange(event.target.value)
      }}
    />
  )
}
