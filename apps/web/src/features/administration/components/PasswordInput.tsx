import { passwordFault, passwordMax, passwordMin } from '@postil/contract/password-rules.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { CopyButton } from '#ui/CopyButton.tsx'
import { Input } from '#ui/Input.tsx'

export const isPassword = (text: string): boolean => passwordFault(text) === null

/** A password to hand over: shown, because somebody else has to get it. */
export const PasswordInput = ({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) => {
  const { t } = useTranslation('features/administration')
  const wrong = value === '' ? null : passwordFault(value)
  const said = wrong === 'blank' ? t('users.passwordBlank') : t('users.passwordShort', { min: passwordMin, max: passwordMax })
  return (
    <Input
      label={t('users.password')}
      hint={t('users.passwordHint')}
      error={wrong && said}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      after={<CopyButton label={t('users.copyPassword')} text={value} />}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
