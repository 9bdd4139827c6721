import { useTranslation } from '#i18n/use-translation.ts'
import { CopyButton } from '#ui/CopyButton.tsx'
import { Input } from '#ui/Input.tsx'
import { passwordMax, passwordMin } from '../password.ts'

export const isPassword = (text: string): boolean => {
  const { length } = Array.from(text)
  return length >= passwordMin && length <= passwordMax
}

/** A password to hand over: shown, because somebody else has to get it. */
export const PasswordInput = ({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) => {
  const { t } = useTranslation('features/administration')
  return (
    <Input
      label={t('users.password')}
      hint={t('users.passwordHint')}
      error={value !== '' && !isPassword(value) ? t('users.passwordShort', { min: passwordMin, max: passwordMax }) : null}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      after={<CopyButton label={t('users.copyPassword')} text={value} />}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
