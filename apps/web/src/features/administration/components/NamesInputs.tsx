import { useTranslation } from '#i18n/use-translation.ts'
import { Input } from '#ui/Input.tsx'

export type Names = { readonly username: string; readonly first_name: string; readonly last_name: string }

export const hasNames = ({ username, first_name }: Names): boolean => username.trim() !== '' && first_name.trim() !== ''

/** What a user is called. */
export const NamesInputs = ({ names, onChange }: { readonly names: Names; readonly onChange: (names: Names) => void }) => {
  const { t } = useTranslation('features/administration')
  return (
    <>
      <Input
        label={t('users.username')}
        hint={t('users.usernameHint')}
        required
        autoComplete="off"
        autoCapitalize="none"
        maxLength={500}
        value={names.username}
        onChange={(event) => onChange({ ...names, username: event.target.value })}
      />
      <Input
        label={t('users.firstName')}
        required
        autoComplete="off"
        value={names.first_name}
        onChange={(event) => onChange({ ...names, first_name: event.target.value })}
      />
      <Input
        label={t('users.lastName')}
        autoComplete="off"
        value={names.last_name}
        onChange={(event) => onChange({ ...names, last_name: event.target.value })}
      />
    </>
  )
}
