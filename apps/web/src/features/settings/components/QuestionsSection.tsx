import { hasConditions } from '@postil/contract/conditions.ts'
import type { Field } from '@postil/contract/fields.ts'
import type { MetadataProperty } from '@postil/contract/metadata-properties.ts'
import type { QuestionKind, SettingsOf } from '@postil/contract/question-types/index.ts'
import type { Question } from '@postil/contract/questions.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { DependencyTree, isIncomplete, ShownWhen, type Subjects } from '#features/conditions/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { useTypeNames } from '#i18n/use-type-names.ts'
import { settingsSlice } from '#question-types/settings-registry.ts'
import type { LabelHues } from '#question-types/shared/labels/label-hues.ts'
import { LabelHuesContext } from '#question-types/shared/labels/label-hues.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { TextArea } from '#ui/controls/TextArea.tsx'
import { PlusIcon } from '#ui/marks/icons.tsx'
import type { SettingsCalls } from '../api.ts'
import { useEdit } from '../edits.ts'
import { LabelsDialog } from '../labels/LabelsDialog.tsx'
import { LabelVersions } from '../labels/LabelVersions.tsx'
import { labelsOf } from '../labels/label-edit.ts'
import type { Path } from '../merge.ts'
import { questionEdit, readQuestion, sendQuestion } from '../question-edit.ts'
import { questionDescription, questionTitle } from '../rules.ts'
import { useFaultText } from '../use-fault-text.ts'
import { About } from './About.tsx'
import { AddQuestionDialog } from './AddQuestionDialog.tsx'
import { ItemForm } from './ItemForm.tsx'
import { QuestionCondition } from './QuestionCondition.tsx'
import { QuestionPreview } from './QuestionPreview.tsx'
import styles from './SettingsPage.module.css'

type Props = {
  readonly questions: readonly Question[]
  readonly datasetId: string
  /** Whether the dataset is published. This page can add questions only to a published dataset. */
  readonly isPublished: boolean
  readonly fields: readonly Field[]
  readonly properties: readonly MetadataProperty[]
  readonly hues: LabelHues
  readonly calls: SettingsCalls
}

/** The questions of the dataset, each next to its preview. */
export const QuestionsSection = ({ questions, properties, hues, isPublished, ...rest }: Props) => {
  const { datasetId, calls } = rest
  const { t } = useTranslation('features/settings')
  const [isAdding, setAdding] = useState(false)
  const client = useQueryClient()
  // A change to labels also changes answers, so everything that is cached for the dataset is outdated.
  const onLabelsChanged = useCallback((): void => {
    void client.invalidateQueries({ queryKey: ['dataset', datasetId] })
    calls.refresh()
  }, [client, datasetId, calls])
  const visible = useMemo(() => properties.filter((property) => property.visible_for_annotators), [properties])
  return (
    <>
      {hasConditions(questions) && <DependencyTree questions={questions} properties={properties} />}
      {questions.map((question, at) => (
        <QuestionForm
          key={question.id}
          question={question}
          subjects={{ questions: questions.slice(0, at), properties: visible }}
          hues={hues.get(question.id) ?? noHues}
          onLabelsChanged={onLabelsChanged}
          {...rest}
        />
      ))}
      {isPublished && (
        <div>
          <Button icon={PlusIcon} onClick={() => setAdding(true)}>
            {t('addQuestion.open')}
          </Button>
        </div>
      )}
      {isAdding && (
        <AddQuestionDialog
          datasetId={datasetId}
          fields={rest.fields}
          onAdded={onLabelsChanged}
          onClose={() => setAdding(false)}
        />
      )}
      <LabelVersions datasetId={datasetId} questions={questions} onChanged={onLabelsChanged} />
    </>
  )
}

const noHues: ReadonlyMap<string, number> = new Map()

type FormProps = Omit<Props, 'questions' | 'properties' | 'hues' | 'isPublished'> & {
  readonly question: Question
  /** The questions and metadata properties that the condition can refer to. */
  readonly subjects: Subjects
  readonly hues: ReadonlyMap<string, number>
  readonly onLabelsChanged: () => void
}

const QuestionForm = ({ datasetId, question, subjects, fields, hues, calls, onLabelsChanged }: FormProps) => {
  const [isChangingLabels, setChangingLabels] = useState(false)
  const labels = labelsOf(question.settings)
  const { t } = useTranslation('features/settings')
  const { t: conditions } = useTranslation('features/conditions')
  const nameOf = useTypeNames()
  const faultText = useFaultText()
  const stored = questionEdit(question, hues)
  const edit = useEdit(`questions/${question.id}`, stored)
  const chosen = useMemo(() => new Map(Object.entries(edit.value.hues)), [edit.value.hues])
  const shownHues = useMemo(() => new Map([[question.id, chosen]]), [question.id, chosen])
  const { title, description, settings, shown_when } = edit.value
  const slice = settingsSlice(question.settings)
  const faultOfSettings = slice.fault(settings as SettingsOf<QuestionKind>, question.settings as SettingsOf<QuestionKind>)
  const faults = { title: questionTitle(title), description: questionDescription(description) }
  const { SettingsForm } = slice
  const labelOf = ([part, inner = '', option]: Path): string => {
    if (part === 'title') return t('itemTitle')
    if (part === 'description') return t('description')
    if (part === 'shown_when') return conditions('name')
    if (part === 'hues') return t('conflict.colour', { label: inner })
    return option === undefined ? t('conflict.settings') : t('conflict.label', { label: option })
  }
  return (
    <ItemForm
      title={question.title}
      details={
        <>
          <About
            name={question.name}
            title={question.title}
            type={nameOf('question', question.settings)}
            required={question.required}
          />
          <ShownWhen question={question} {...subjects} />
        </>
      }
      edit={edit}
      isValid={faults.title === null && faults.description === null && faultOfSettings === null && !isIncomplete(shown_when)}
      calls={calls}
      read={() => readQuestion(calls, question.id)}
      send={(value, fresh) => sendQuestion(calls, question.id, fresh, value)}
      conflictTexts={{ labelOf }}
    >
      <div className={styles['pair']}>
        <div className={styles['inputs']}>
          <Input
            label={t('itemTitle')}
            error={faultText(faults.title)}
            value={title}
            onChange={(event) => edit.change({ ...edit.value, title: event.target.value })}
          />
          <TextArea
            label={t('description')}
            error={faultText(faults.description)}
            className={styles['description']}
            value={description}
            onChange={(event) => edit.change({ ...edit.value, description: event.target.value })}
          />
          {SettingsForm && (
            <SettingsForm
              settings={settings as SettingsOf<QuestionKind>}
              stored={question.settings as SettingsOf<QuestionKind>}
              onChange={(next) => edit.change({ ...edit.value, settings: next })}
              hues={chosen}
              onHue={(value, hue) => {
                const next = new Map(chosen)
                if (hue === null) next.delete(value)
                else next.set(value, hue)
                edit.change({ ...edit.value, hues: Object.fromEntries(next) })
              }}
            />
          )}
          <QuestionCondition
            title={question.title}
            condition={shown_when}
            stored={stored.shown_when}
            subjects={subjects}
            onChange={(next) => edit.change({ ...edit.value, shown_when: next })}
          >
            {labels && (
              <Button
                blocked={edit.isChanged}
                aria-label={t('labels.changeOf', { title: question.title })}
                onClick={() => setChangingLabels(true)}
              >
                {t('labels.change')}
              </Button>
            )}
          </QuestionCondition>
          {labels && isChangingLabels && (
            <LabelsDialog
              datasetId={datasetId}
              question={question}
              labels={labels}
              onApplied={onLabelsChanged}
              onClose={() => setChangingLabels(false)}
            />
          )}
        </div>
        <LabelHuesContext value={shownHues}>
          <QuestionPreview question={{ ...question, title, description: description.trim() || null, settings }} fields={fields} />
        </LabelHuesContext>
      </div>
    </ItemForm>
  )
}
