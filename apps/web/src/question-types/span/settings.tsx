import { defaultLimits } from '@postil/contract/wire/limits.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { LabelledSelect } from '#ui/controls/LabelledSelect.tsx'
import { Switch } from '#ui/controls/Switch.tsx'
import type { CreationFormProps, NearbyField, QuestionCreationSlice } from '../define-creation.ts'
import type { QuestionSettingsSlice } from '../define-settings.ts'
import { LabelsInput } from '../shared/labels/LabelsInput.tsx'
import { labelsFault, optionsOf } from '../shared/labels/labels-text.ts'
import { optionsFault, optionsUpdate } from '../shared/options/option-settings.ts'
import { SpanSettingsForm } from './SettingsForm.tsx'

/** Returns the fields whose text can have spans. */
const textFields = (fields: readonly NearbyField[]): readonly NearbyField[] =>
  fields.filter(({ settings }) => settings.type === 'text' || settings.type === 'chat')
const isText = (fields: readonly NearbyField[], name: string): boolean => textFields(fields).some((field) => field.name === name)

const CreationForm = ({ settings, fields, fault, onChange }: CreationFormProps<'span'>) => {
  const { t } = useTranslation('question-types/span')
  const { t: shared } = useTranslation('question-types/shared/options')
  const texts = textFields(fields)
  const isOfField = !isText(fields, settings.field)
  const choices = texts.map(({ name, title }) => ({ value: name, label: title.trim() || name }))
  return (
    <>
      <LabelsInput
        label={shared('options.title')}
        options={settings.options}
        fault={isOfField ? null : fault}
        onChange={(options) => onChange({ ...settings, options })}
      />
      <LabelledSelect
        label={t('field')}
        value={settings.field}
        options={isOfField ? [{ value: settings.field, label: t('noField') }, ...choices] : choices}
        onChange={(field) => onChange({ ...settings, field })}
        fault={isOfField ? fault : null}
      />
      <Switch
        label={t('allowOverlapping')}
        hint={t('allowOverlappingHint')}
        checked={settings.allow_overlapping}
        onChange={(allow_overlapping) => onChange({ ...settings, allow_overlapping })}
      />
    </>
  )
}

export const creation: QuestionCreationSlice<'span'> = {
  kind: 'span',
  order: 8,
  initial: ({ values, fields }) => ({
    type: 'span',
    field: textFields(fields)[0]?.name ?? '',
    options: optionsOf(values?.length ? values : ['organisation', 'person', 'event']),
    visible_options: null,
    allow_overlapping: true,
    allow_character_annotation: true,
  }),
  CreationForm,
  withFieldRenamed: (settings, from, to) => (settings.field === from ? { ...settings, field: to } : settings),
  fault: (settings, fields) =>
    isText(fields, settings.field) ? labelsFault(settings, { min: 1, max: defaultLimits.spanOptions }) : 'fieldRelated',
}

export const settings: QuestionSettingsSlice<'span'> = {
  kind: 'span',
  SettingsForm: SpanSettingsForm,
  canNest: true,
  fault: optionsFault,
  update: (settings) => ({ type: 'span', ...optionsUpdate(settings), allow_overlapping: settings.allow_overlapping }),
  sample: () => null,
}
