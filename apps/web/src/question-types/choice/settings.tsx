import { canListOptions } from '@postil/contract/question-types/choice.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { LabelledSelect } from '#ui/controls/LabelledSelect.tsx'
import type { CreationFormProps, NearbyField, QuestionCreationSlice } from '../define-creation.ts'
import type { QuestionSettingsSlice } from '../define-settings.ts'

const listFields = (fields: readonly NearbyField[]): readonly NearbyField[] =>
  fields.filter(({ settings }) => canListOptions(settings))

const CreationForm = ({ settings, fields, fault, onChange }: CreationFormProps<'choice'>) => {
  const { t } = useTranslation('question-types/choice')
  const choices = listFields(fields).map(({ name, title }) => ({ value: name, label: title.trim() || name }))
  const isMissing = choices.every(({ value }) => value !== settings.choose_from)
  return (
    <LabelledSelect
      label={t('field')}
      hint={t('fieldHint')}
      value={settings.choose_from}
      options={isMissing ? [{ value: settings.choose_from, label: t('noField') }, ...choices] : choices}
      onChange={(choose_from) => onChange({ ...settings, choose_from })}
      fault={fault}
    />
  )
}

export const creation: QuestionCreationSlice<'choice'> = {
  kind: 'choice',
  order: 9,
  initial: ({ fields }) => ({
    type: 'text',
    postil_kind: 'choice',
    use_markdown: false,
    // Proposes the last field with options. The first field is usually the text that the question is about.
    choose_from: listFields(fields).at(-1)?.name ?? '',
  }),
  CreationForm,
  withFieldRenamed: (settings, from, to) => (settings.choose_from === from ? { ...settings, choose_from: to } : settings),
  fault: (settings, fields) => (listFields(fields).some(({ name }) => name === settings.choose_from) ? null : 'listField'),
}

export const settings: QuestionSettingsSlice<'choice'> = {
  kind: 'choice',
  SettingsForm: null,
  fault: () => null,
  update: () => undefined,
  sample: () => null,
  sampleFields: ({ choose_from }, options) => ({ [choose_from]: options.join('\n') }),
}
