import { useTranslation } from '#i18n/use-translation.ts'
import { Switch } from '#ui/controls/Switch.tsx'
import type { SettingsFormProps } from '../define-settings.ts'
import { OptionsForm } from '../shared/options/OptionsForm.tsx'
import { labelHues } from './hue.ts'

export const SpanSettingsForm = ({ settings, stored, onChange, hues, onHue }: SettingsFormProps<'span'>) => {
  const { t } = useTranslation('question-types/span')
  const automatic = labelHues(
    settings.options.map(({ value }) => value),
    hues,
  )
  return (
    <>
      <OptionsForm
        settings={settings}
        stored={stored}
        onChange={(change) => onChange({ ...settings, ...change })}
        colours={{ chosen: hues, automatic, onHue }}
      />
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
