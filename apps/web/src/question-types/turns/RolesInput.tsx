import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Input } from '#ui/controls/Input.tsx'
import { rolesFrom } from './roles-text.ts'

type Props = {
  readonly roles: readonly string[] | null
  readonly error: string | null
  readonly onChange: (roles: string[] | null) => void
}

/** An input for the roles whose turns a question is about. */
export const RolesInput = ({ roles, error, onChange }: Props) => {
  const { t } = useTranslation('question-types/turns')
  const [typed, setTyped] = useState(() => roles?.join(', ') ?? '')
  return (
    <Input
      label={t('roles')}
      hint={t('rolesHint')}
      error={error}
      value={typed}
      onChange={(event) => {
        setTyped(event.target.value)
        onChange(rolesFrom(event.target.value))
      }}
    />
  )
}
