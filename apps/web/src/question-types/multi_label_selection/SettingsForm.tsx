import { useTranslation } from '#i18n/use-translation.ts'
import { Switch } from '#ui/controls/Switch.tsx'
import type { SettingsFormProps } from '../define-settings.ts'
import { OptionsForm } from '../shared/options/OptionsForm.tsx'

export const MultiLabelSelectionSettingsForm = ({
  settings,
  stored,
  onChange,
  hues,
  onHue,
}: SettingsFormProps<'multi_label_selection'>) => {
  const { t } = useTranslation('question-types/multi_label_selection')
  return (
    <>
      <OptionsForm
        canNest
        settings={settings}
        stored={stored}
        onChange={(change) => onChange({ ...settings, ...change })}
        colours={{ chosen: hues, onHue }}
      />
      <Switch
        label={t('suggestionsFirst')}
        hint={t('suggestionsFirstHint')}
        checked={settings.options_order === 'suggestion'}
        onChange={(on) => onChange({ ...settings, options_order: on ? 'suggestion' : 'natural' })}
      />
    </>
  )
}
