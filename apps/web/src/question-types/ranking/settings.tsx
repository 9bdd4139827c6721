import { useTranslation } from '#i18n/use-translation.ts'
import type { CreationFormProps, QuestionCreationSlice } from '../define-creation.ts'
import type { QuestionSettingsSlice } from '../define-settings.ts'
import { LabelsInput } from '../shared/labels/LabelsInput.tsx'
import { labelsFault, optionsOf } from '../shared/labels/labels-text.ts'

const maxItems = 50

const CreationForm = ({ settings, fault, onChange }: CreationFormProps<'ranking'>) => {
  const { t } = useTranslation('question-types/ranking')
  return (
    <LabelsInput
      label={t('items')}
      options={settings.options}
      fault={fault}
      onChange={(options) => onChange({ ...settings, options })}
    />
  )
}

export const creation: QuestionCreationSlice<'ranking'> = {
  kind: 'ranking',
  order: 5,
  // `values` are the items to rank. Without values, the question starts with two sample items.
  initial: ({ values }) => ({ type: 'ranking', options: optionsOf(values?.length ? values : ['response-1', 'response-2']) }),
  CreationForm,
  fault: (settings) => labelsFault(settings, { min: 2, max: maxItems }),
}

/** The options can't be changed after the question is created. */
export const settings: QuestionSettingsSlice<'ranking'> = {
  kind: 'ranking',
  SettingsForm: null,
  fault: () => null,
  update: () => undefined,
  sample: () => null,
}
