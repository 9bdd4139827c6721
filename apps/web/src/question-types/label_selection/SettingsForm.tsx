import type { SettingsFormProps } from '../define-settings.ts'
import { OptionsForm } from '../shared/options/OptionsForm.tsx'

export const LabelSelectionSettingsForm = ({ settings, stored, onChange, hues, onHue }: SettingsFormProps<'label_selection'>) => (
  <OptionsForm
    canNest
    settings={settings}
    stored={stored}
    onChange={(change) => onChange({ ...settings, ...change })}
    colours={{ chosen: hues, onHue }}
  />
)
