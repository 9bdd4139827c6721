import { useTranslation } from '#i18n/use-translation.ts'
import type { CreationFormProps, QuestionCreationSlice } from '../define-creation.ts'
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

export const rankingCreation: QuestionCreationSlice<'ranking'> = {
  kind: 'ranking',
  // The values of a column are whole rankings, not items.
  initial: () => ({ type: 'ranking', options: optionsOf(['response-1', 'response-2']) }),
  CreationForm,
  fault: (settings) => labelsFault(settings, { min: 2, max: maxItems }),
}
