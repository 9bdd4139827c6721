import { useTranslation } from 'react-i18next'
import { Switch } from '#ui/Switch.tsx'
import type { SettingsFormProps } from '../define-settings.ts'
import { OptionsForm } from '../shared/OptionsForm.tsx'

export const SpanSettingsForm = ({ settings, stored, onChange }: SettingsFormProps<'span'>) => {
  const { t } = useTranslation('question-types/span')
  return (
    <>
      <OptionsForm settings={settings} onChange={(change) => onChange({ ...settings, ...change })} />
      <Switch
        label={t('allowOverlapping')}
        hint={stored.allow_overlapping ? t('overlappingStays') : t('allowOverlappingHint')}
        checked={settings.allow_overlapping}
        disabled={stored.allow_overlapping}
        onChange={(allow_overlapping) => onChange({ ...settings, allow_overlapping })}
      />
    </>
  )
}
