import { defaultLimits } from '@postil/contract/limits.ts'
import { useTranslation } from 'react-i18next'
import type { CreationFormProps, QuestionCreationSlice } from '../define-creation.ts'
import { LabelsInput } from '../shared/LabelsInput.tsx'
import { labelsFault, optionsOf } from '../shared/labels-text.ts'

const CreationForm = ({ settings, fault, onChange }: CreationFormProps<'label_selection'>) => {
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

export const labelSelectionCreation: QuestionCreationSlice<'label_selection'> = {
  kind: 'label_selection',
  initial: ({ values }) => ({
    type: 'label_selection',
    options: optionsOf(values ?? ['positive', 'negative', 'neutral']),
    visible_options: null,
  }),
  CreationForm,
  fault: (settings) => labelsFault(settings, { min: 2, max: defaultLimits.labelOptions }),
}
