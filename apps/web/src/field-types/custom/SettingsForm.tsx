import { useTranslation } from '#i18n/use-translation.ts'
import { usePrepared } from '#lib/use-prepared.ts'
import { Switch } from '#ui/controls/Switch.tsx'
import { TextArea } from '#ui/controls/TextArea.tsx'
import type { FieldSettingsFormProps } from '../define-settings.ts'
import styles from './SettingsForm.module.css'
import { loadTemplateCheck, templateFault } from './template-fault.ts'

/** Edits a custom field's template. The template runs in a frame that is isolated from the page, and it gets only the record. */
export const CustomSettingsForm = ({ settings, onChange }: FieldSettingsFormProps<'custom'>) => {
  const { t } = useTranslation('field-types/custom')
  usePrepared('template', loadTemplateCheck)
  const fault = templateFault(settings)
  return (
    <>
      <TextArea
        label={t('template')}
        hint={settings.advanced_mode ? t('templateHintAdvanced') : t('templateHint')}
        error={fault && t(`fault.${fault.kind}`, { ...fault, braces: '{{ }}' })}
        className={styles['template']}
        spellCheck={false}
        dir="ltr"
        value={settings.template}
        onChange={(event) => onChange({ ...settings, template: event.target.value })}
      />
      <Switch
        label={t('advanced')}
        hint={t('advancedHint')}
        checked={settings.advanced_mode}
        onChange={(advanced_mode) => onChange({ ...settings, advanced_mode })}
      />
    </>
  )
}
