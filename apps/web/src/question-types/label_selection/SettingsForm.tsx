import type { SettingsFormProps } from '../define-settings.ts'
import { OptionsForm } from '../shared/OptionsForm.tsx'

export const LabelSelectionSettingsForm = ({ settings, onChange, hues, onHue }: SettingsFormProps<'label_selection'>) => (
  <OptionsForm
    settings={settings}
    onChange={(change) => onChange({ ...settings, ...change })}
    colours={{ chosen: hues, onHue }}
  />
)
