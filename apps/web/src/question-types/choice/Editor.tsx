import { optionsOfRecord } from '@postil/contract/question-types/choice.rules.ts'
import { useMemo } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import type { EditorProps } from '../define.ts'
import { LabelOptions } from '../shared/labels/LabelOptions.tsx'
import { oneLabel } from '../shared/labels/one-label.ts'
import { numbered } from '../shared/options/option-list.ts'
import styles from './Editor.module.css'

/** If there are more options than this, only this many are visible until the list is expanded. */
const visibleOptions = 20

/** A choice between the options that a field of the record lists. */
export const ChoiceEditor = ({
  question,
  answer,
  suggestion,
  fields,
  onChange,
  labelledBy,
  describedBy,
}: EditorProps<'choice'>) => {
  const { t } = useTranslation('question-types/choice')
  const field = question.settings.choose_from
  const values = useMemo(() => optionsOfRecord(fields ?? {}, field), [fields, field])
  const options = useMemo(() => numbered(values.map((value) => ({ value, text: value, description: null }))), [values])
  const isLost = answer.value !== null && answer.value !== '' && !values.includes(answer.value)
  if (options.length === 0 && !isLost) {
    return (
      // biome-ignore lint/a11y/useSemanticElements: a fieldset needs a legend, and the question already has a title
      <div role="group" className={styles['none']} aria-labelledby={labelledBy} aria-describedby={describedBy}>
        {t('none')}
      </div>
    )
  }
  return (
    <>
      {isLost && <p className={styles['lost']}>{t('lost', { value: answer.value ?? '' })}</p>}
      <LabelOptions
        {...oneLabel({ answer, suggestion, onChange })}
        options={options}
        visible={visibleOptions}
        labelledBy={labelledBy}
        describedBy={describedBy}
      />
    </>
  )
}
