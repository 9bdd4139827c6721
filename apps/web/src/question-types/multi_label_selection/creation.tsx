import { defaultLimits } from '@postil/contract/limits.ts'
import { useTranslation } from 'react-i18next'
import type { CreationFormProps, QuestionCreationSlice } from '../define-creation.ts'
import { LabelsInput } from '../shared/LabelsInput.tsx'
import { labelsFault, optionsOf } from '../shared/labels-text.ts'

const CreationForm = ({ settings, fault, onChange }: CreationFormProps<'multi_label_selection'>) => {
  const { t } = useTranslation('question-types/shared')
  return (
    <LabelsInput
      label={t('options.title')}
      options={settings.options}
      fault={fault}
      onChange={(options) => onChange({ ...settings, options })}
    />
  )
}

export const multiLabelSelectionCreation: QuestionCreationSlice<'multi_label_selection'> = {
  kind: 'multi_label_selection',
  initial: ({ values }) => ({
    type: 'multi_label_selection',
    options: optionsOf(values ?? ['news', 'sports', 'international', 'politics']),
    visible_options: null,
    options_order: 'natural',
  }),
  CreationForm,
  fault: (settings) => labelsFault(settings, { min: 2, max: defaultLimits.labelOptions }),
}
