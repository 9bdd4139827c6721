import { useTranslation } from '#i18n/use-translation.ts'
import { Switch } from '#ui/controls/Switch.tsx'
import type { SettingsFormProps } from '../define-settings.ts'

export const TextSettingsForm = ({ settings, onChange }: Omit<SettingsFormProps<'text'>, 'hues' | 'onHue'>) => {
  const { t } = useTranslation('question-types/text')
  return (
    <>
      <Switch
        label={t('useMarkdown')}
        hint={t('useMarkdownHint')}
        checked={settings.use_markdown}
        onChange={(use_markdown) => onChange({ ...settings, use_markdown })}
      />
      <Switch
        label={t('codes')}
        hint={t('codesHint')}
        checked={settings.codes ?? false}
        onChange={(codes) => onChange({ ...settings, codes })}
      />
    </>
  )
}
