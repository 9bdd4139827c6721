import type { TextSearch } from '@postil/contract/annotation-query/grammar.ts'
import type { FieldKind } from '@postil/contract/field-types/index.ts'
import type { Field } from '@postil/contract/fields.ts'
import type { QuestionKind } from '@postil/contract/question-types/index.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import { memo, Suspense, use, useId } from 'react'
import type { FieldOf } from '#field-types/define.ts'
import { fieldSlice } from '#field-types/registry.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import type { Answers } from '#lib/drafts/draft.ts'
import type { AnswerOf, ChangeOptions, FieldEditorProps, QuestionOf, Shared, SuggestionOf } from '#question-types/define.ts'
import { questionSlice } from '#question-types/registry.ts'
import { type Viewer, ViewerContext } from '#question-types/viewer.ts'
import { CopyButton } from '#ui/controls/CopyButton.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { answerOf, suggestionFor } from '../answering/answers.ts'
import { LoadingLongField } from './LoadingLongField.tsx'
import { LongField } from './lazy-long-field.ts'
import styles from './RecordFields.module.css'

type Props = {
  readonly record: AnnotationRecord
  readonly fields: readonly Field[]
  readonly questions: readonly Question[]
  readonly answers: Answers
  readonly search: TextSearch | null
  readonly sharedOf: (question: Question) => Shared
  readonly onAnswer: (question: Question, answer: Answers[string], options?: ChangeOptions) => void
  readonly onFocusQuestion: (question: Question) => void
  /** Whether long fields are truncated if other fields follow. The first field is always shown in full. */
  readonly folds?: boolean
}

/**
 * Returns the questions that users answer inside this field instead of in the form, for example by marking text. `alone` is a
 * question that needs the field for itself, or null. `together` contains the questions that share the field.
 */
const questionsIn = (field: Field, value: JsonValue, questions: readonly Question[]) => {
  const found = questions.filter(({ settings }) => {
    const { fieldEditing } = questionSlice(settings)
    return fieldEditing?.fieldOf(settings) === field.name && fieldEditing.isIn(value)
  })
  const shares = ({ settings }: Question): boolean => questionSlice(settings).fieldEditing?.SharedEditor !== undefined
  return { alone: found.find((question) => !shares(question)) ?? null, together: found.filter(shares) }
}

/**
 * Returns the two fields that a question compares, in the order in which this person sees them. Null if no question compares two
 * fields that have content.
 */
const comparedIn = (fields: readonly Field[], questions: readonly Question[], viewer: Viewer | null) => {
  for (const { settings } of viewer ? questions : []) {
    const { comparing } = questionSlice(settings)
    if (!viewer || !comparing) continue
    const [first, second] = comparing.sidesOf(settings, viewer).map((name) => fields.find((field) => field.name === name))
    if (first && second) return { first, second, FieldsView: comparing.FieldsView }
  }
  return null
}

type FieldProps = Omit<Props, 'fields' | 'folds'> & { readonly field: Field }

const Content = ({ field, record, questions, answers, search, sharedOf, onAnswer, onFocusQuestion }: FieldProps) => {
  const value = record.fields[field.name]
  if (value === undefined || value === null) return null
  const words = wordsFor(field, search)
  const { alone, together } = questionsIn(field, value, questions)
  const editorOf = (question: Question): FieldEditorProps<QuestionKind> => ({
    question: question as QuestionOf<QuestionKind>,
    answer: answerOf(answers, question) as AnswerOf<QuestionKind>,
    suggestion: suggestionFor(record, question) as SuggestionOf<QuestionKind> | null,
    fields: record.fields,
    shared: sharedOf(question),
    value,
    label: field.title,
    search: words,
    isMarkdown: 'use_markdown' in field.settings && field.settings.use_markdown,
    onChange: (next, options) => onAnswer(question, next as Answers[string], options),
  })
  const OwnEditor = alone && questionSlice(alone.settings).fieldEditing?.FieldEditor
  const [first] = together
  const SharedEditor = first && questionSlice(first.settings).fieldEditing?.SharedEditor
  if (OwnEditor || SharedEditor) {
    return (
      <>
        {alone && OwnEditor && (
          // biome-ignore lint/a11y/noStaticElementInteractions: focus inside activates the question
          <div onFocus={() => onFocusQuestion(alone)}>
            <OwnEditor {...editorOf(alone)} />
          </div>
        )}
        {SharedEditor && (
          <SharedEditor
            isBeside={alone !== null}
            editors={together.map((question) => ({ ...editorOf(question), onFocus: () => onFocusQuestion(question) }))}
          />
        )}
      </>
    )
  }
  const slice = fieldSlice(field.settings)
  return (
    <Suspense fallback={<Skeleton height="4lh" />}>
      <slice.View field={field as FieldOf<FieldKind>} value={value} record={record} search={words} />
    </Suspense>
  )
}

/** Returns the search words if the search includes this field, otherwise null. */
const wordsFor = ({ name }: Field, search: TextSearch | null): string | null =>
  search && (search.field === null || search.field === name) ? search.text : null

/** The fields of a record, laid out for reading. */
export const RecordFields = memo((props: Props) => {
  const { t } = useTranslation('features/annotate')
  const { record, fields, folds = false, ...rest } = props
  const id = useId()
  const filled = fields.filter(({ name }) => (record.fields[name] ?? null) !== null)
  const compared = comparedIn(filled, props.questions, use(ViewerContext))
  const contentOf = (field: Field) => <Content {...rest} record={record} field={field} />
  const textOf = (field: Field) => fieldSlice(field.settings).plainText(record.fields[field.name] ?? null)
  const isCompared = (field: Field) => field === compared?.first || field === compared?.second
  const place = filled.findIndex(isCompared)
  return filled.map((field, index) => {
    if (compared && isCompared(field)) {
      if (index !== place) return null
      const [first, second] = [compared.first, compared.second].map((one) => ({ content: contentOf(one), text: textOf(one) }))
      return (
        <div key={field.id} className={styles['field']}>
          {first && second && <compared.FieldsView first={first} second={second} />}
        </div>
      )
    }
    const slice = fieldSlice(field.settings)
    const content = contentOf(field)
    const text = textOf(field)
    return (
      // biome-ignore lint/a11y/useSemanticElements: a fieldset is for inputs, and a page would have too many landmarks
      <section key={field.id} role="group" className={styles['field']} aria-labelledby={`${id}-${field.id}`}>
        <div className={styles['head']}>
          <h2 id={`${id}-${field.id}`} className={styles['title']}>
            <bdi>{field.title}</bdi>
          </h2>
          <CopyButton className={styles['copy']} label={t('record.copyField', { title: field.title })} text={text} />
        </div>
        <div className={styles['content']} data-any-length="">
          {folds && slice.folds && index > 0 && index < filled.length - 1 ? (
            <Suspense fallback={<LoadingLongField>{content}</LoadingLongField>}>
              <LongField fieldId={field.id} title={field.title} text={text} search={wordsFor(field, props.search)}>
                {content}
              </LongField>
            </Suspense>
          ) : (
            content
          )}
        </div>
      </section>
    )
  })
})
