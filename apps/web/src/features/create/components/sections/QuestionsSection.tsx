import type { ImportColumn } from '@postil/contract/files/imports.ts'
import type { QuestionKind, SettingsOf } from '@postil/contract/question-types/index.ts'
import { ConditionEditor } from '#features/conditions/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { useTypeNames } from '#i18n/use-type-names.ts'
import { creationSlice, creationSliceOf, questionKindsToMake } from '#question-types/creation-registry.ts'
import { Button } from '#ui/controls/Button.tsx'
import { LabelledSelect } from '#ui/controls/LabelledSelect.tsx'
import { Switch } from '#ui/controls/Switch.tsx'
import { TextArea } from '#ui/controls/TextArea.tsx'
import { PlusIcon } from '#ui/marks/icons.tsx'
import { Menu } from '#ui/overlays/Menu.tsx'
import { MenuItem } from '#ui/overlays/MenuItems.tsx'
import { subjectsBefore } from '../../conditions.ts'
import type { QuestionPart } from '../../draft.ts'
import { labelColumns, labelsFrom, withQuestion } from '../../draft.ts'
import { ColumnLabels } from './ColumnLabels.tsx'
import { Fault } from './Fault.tsx'
import { Part, useTextFault } from './Part.tsx'
import styles from './Parts.module.css'
import type { SectionProps } from './section.ts'
import { changedPart, focusPart, removedPart } from './section.ts'

type Props = SectionProps & {
  readonly columns: readonly ImportColumn[]
}

export const QuestionsSection = ({ columns, ...section }: Props) => {
  const { t } = useTranslation('features/create')
  const nameOf = useTypeNames()
  const { draft, faults, hasTried, onChange } = section
  const add = (kind: QuestionKind): void => {
    const next = withQuestion(draft, kind, { name: kind, source: null }, null)
    onChange(next)
    focusPart(next.questions.at(-1)?.key)
  }
  return (
    <section aria-labelledby="new-questions" className={styles['section']}>
      <h2 id="new-questions" className={styles['sectionTitle']}>
        {t('questions.title')}
      </h2>
      <p className={styles['hint']}>{t('questions.hint')}</p>
      {hasTried && faults.questions && <Fault>{t(`fault.${faults.questions}`)}</Fault>}
      <ul className={styles['parts']}>
        {draft.questions.map((part) => (
          <QuestionForm
            key={part.key}
            part={part}
            section={section}
            columns={columns}
            onPart={(change) => onChange({ ...draft, questions: changedPart(draft.questions, part.key, change) })}
            onReplace={(next) => onChange({ ...draft, questions: draft.questions.map((one) => (one === part ? next : one)) })}
          />
        ))}
      </ul>
      <div className={styles['add']}>
        <Menu
          trigger={
            <Button icon={PlusIcon} data-add="questions">
              {t('questions.add')}
            </Button>
          }
        >
          {questionKindsToMake.map((kind) => (
            <MenuItem key={kind} onSelect={() => add(kind)}>
              {nameOf('question', { type: kind })}
            </MenuItem>
          ))}
        </Menu>
      </div>
    </section>
  )
}

/**
 * Returns the labels of a question: the column names if each label has its own column of 0 and 1, otherwise the values of the
 * question's only column.
 */
const labelsOf = (part: QuestionPart, columns: readonly ImportColumn[]): readonly string[] => {
  const names = labelColumns(part)
  return names.length > 0 ? names : labelsFrom(columns.find(({ name }) => name === part.source)?.values)
}

type FormProps = {
  readonly part: QuestionPart
  readonly section: SectionProps
  readonly columns: readonly ImportColumn[]
  readonly onPart: (change: Partial<QuestionPart>) => void
  readonly onReplace: (part: QuestionPart) => void
}

const QuestionForm = ({ part, section: { draft, faults, hasTried, onChange }, columns, onPart, onReplace }: FormProps) => {
  const { t } = useTranslation('features/create')
  const nameOf = useTypeNames()
  const { t: shared } = useTranslation('question-types/shared/options')
  const found = faults.parts.get(part.key)
  const faultOn = useTextFault(found, hasTried)
  const { settings, source } = part
  const values = source === null ? null : labelsOf(part, columns)
  const slice = creationSliceOf(settings)
  const { CreationForm } = slice
  return (
    <Part
      part={part}
      unnamedTitle={t('questions.unnamed')}
      faultOn={faultOn}
      onChange={onPart}
      onRemove={() => {
        onChange({ ...draft, questions: removedPart(draft.questions, part.key) })
        focusPart(null, 'questions')
      }}
      kind={
        <LabelledSelect
          label={t('part.type')}
          value={slice.kind}
          options={questionKindsToMake.map((kind) => ({ value: kind, label: nameOf('question', { type: kind }) }))}
          onChange={(kind) => {
            const { separator: _, ...rest } = part
            onReplace({ ...rest, settings: creationSlice(kind).initial({ values, fields: draft.fields }) })
          }}
        />
      }
    >
      <ColumnLabels part={part} columns={columns} onPart={onPart} />
      <TextArea
        label={t('questions.description')}
        error={faultOn('description')}
        className={styles['description']}
        value={part.description}
        onChange={(event) => onPart({ description: event.target.value })}
      />
      <CreationForm
        // Entered text belongs to the settings of one question type, so the inputs are reset when the type changes.
        key={slice.kind}
        settings={settings as SettingsOf<QuestionKind>}
        fields={draft.fields}
        fault={found?.settings ? shared(`fault.${found.settings}`) : null}
        onChange={(next) => onPart({ settings: next })}
      />
      <ConditionEditor
        title={part.title.trim() || part.name.trim() || t('questions.unnamed')}
        condition={part.shown_when ?? null}
        subjects={subjectsBefore(draft, part)}
        onChange={(condition) => {
          const { shown_when: _, ...rest } = part
          onReplace(condition === null ? rest : { ...rest, shown_when: condition })
        }}
      />
      {hasTried && found?.condition && <Fault>{t('fault.condition')}</Fault>}
      <Switch label={t('questions.required')} checked={part.required} onChange={(required) => onPart({ required })} />
    </Part>
  )
}
