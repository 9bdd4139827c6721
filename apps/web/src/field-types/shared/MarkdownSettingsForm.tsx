import { useTranslation } from '#i18n/use-translation.ts'
import { Switch } from '#ui/controls/Switch.tsx'

type Props<S> = { readonly settings: S; readonly onChange: (settings: S) => void }

/** Settings of fields whose text can be Markdown. */
export const MarkdownSettingsForm = <S extends { readonly use_markdown: boolean }>({ settings, onChange }: Props<S>) => {
  const { t } = useTranslation('field-types/text')
  return (
    <Switch
      label={t('useMarkdown')}
      hint={t('useMarkdownHint')}
      checked={settings.use_markdown}
      onChange={(use_markdown) => onChange({ ...settings, use_markdown })}
    />
  )
}
