import type { Field } from '@postil/contract/fields.ts'
import type { QuestionKind, SettingsOf } from '@postil/contract/question-types/index.ts'
import type { Question } from '@postil/contract/questions.ts'
import { useId, useMemo, useState } from 'react'
import { fieldCreationOf } from '#field-types/creation.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { directionOf } from '#lib/text/direction.ts'
import type { AnswerOf, QuestionOf, SuggestionOf } from '#question-types/define.ts'
import { questionSlice } from '#question-types/registry.ts'
import { settingsSlice } from '#question-types/settings-registry.ts'
import { createShared } from '#question-types/shared-state.ts'
import styles from './SettingsPage.module.css'

const unanswered: AnswerOf<QuestionKind> = { value: null, suggested: null }

type Props = { readonly question: Question; readonly fields: readonly Field[] }

/** The question as annotators will see it. Answers given here are discarded. */
export const QuestionPreview = ({ question, fields }: Props) => {
  const { t } = useTranslation('features/settings')
  const id = useId()
  const [shared] = useState(createShared)
  const settings = question.settings as SettingsOf<QuestionKind>
  const sample = useMemo(() => settingsSlice(settings).sample(settings), [settings])
  const [answer, setAnswer] = useState<AnswerOf<QuestionKind>>(
    sample ? { value: sample.value, suggested: sample.value } : unanswered,
  )
  const { Editor, fieldEditing } = questionSlice(settings)
  const field = fields.find(({ name }) => name === fieldEditing?.fieldOf(settings))
  const words = field ? fieldCreationOf(field.settings).sample(t('questions.sample', { title: field.title })) : null
  const options = [1, 2, 3].map((number) => t('questions.sampleOption', { number }))
  const values = field ? { [field.name]: words } : (settingsSlice(settings).sampleFields?.(settings, options) ?? {})
  const suggestion = sample && ({ ...sample, question_id: question.id } as unknown as SuggestionOf<QuestionKind>)
  return (
    <section className={styles['preview']} aria-label={t('questions.preview', { title: question.title })}>
      <p className={styles['previewMark']} aria-hidden="true">
        {t('general.preview')}
      </p>
      <p id={id} className={styles['previewTitle']}>
        <bdi>{question.title}</bdi>
        {question.required && <span className={styles['star']}> *</span>}
      </p>
      {question.description && (
        <p className={styles['previewNote']} dir={directionOf(question.description)}>
          {question.description}
        </p>
      )}
      {/* Some editors look for the `data-question` element that contains them. */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset can't have the focus, which a question's keys need */}
      <div role="group" tabIndex={-1} data-question={question.name} aria-labelledby={id}>
        {field && fieldEditing?.isIn(words) && (
          <div className={styles['previewText']}>
            <fieldEditing.FieldEditor
              question={question as QuestionOf<QuestionKind>}
              answer={answer}
              suggestion={suggestion}
              fields={values}
              shared={shared}
              value={words}
              label={field.title}
              search={null}
              onChange={setAnswer}
            />
          </div>
        )}
        <Editor
          question={question as QuestionOf<QuestionKind>}
          answer={answer}
          suggestion={suggestion}
          fields={values}
          labelledBy={id}
          describedBy={undefined}
          shared={shared}
          onChange={setAnswer}
        />
      </div>
    </section>
  )
}
