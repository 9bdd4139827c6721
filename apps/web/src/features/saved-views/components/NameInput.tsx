import { maxViewName } from '@postil/contract/wire/limits.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Input } from '#ui/controls/Input.tsx'

type Props = { readonly name: string; readonly fault: string | null; readonly onChange: (name: string) => void }

/** Input for the name of a new or existing view. */
export const NameInput = ({ name, fault, onChange }: Props) => {
  const { t } = useTranslation('features/saved-views')
  return (
    <Input
      label={t('name')}
      value={name}
      maxLength={maxViewName}
      required
      autoFocus
      autoComplete="off"
      error={fault}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
