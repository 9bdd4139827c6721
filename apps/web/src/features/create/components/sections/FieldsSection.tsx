import type { FieldKind, FieldSettingsOf } from '@postil/contract/field-types/index.ts'
import type { QuestionKind, SettingsOf } from '@postil/contract/question-types/index.ts'
import { fieldCreation, fieldCreationOf, fieldKindsToMake } from '#field-types/creation.ts'
import { fieldSettingsSlice } from '#field-types/settings-registry.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { useTypeNames } from '#i18n/use-type-names.ts'
import { creationSliceOf } from '#question-types/creation-registry.ts'
import { Button } from '#ui/controls/Button.tsx'
import { LabelledSelect } from '#ui/controls/LabelledSelect.tsx'
import { Switch } from '#ui/controls/Switch.tsx'
import { PlusIcon } from '#ui/marks/icons.tsx'
import { Menu } from '#ui/overlays/Menu.tsx'
import { MenuItem } from '#ui/overlays/MenuItems.tsx'
import type { FieldPart } from '../../draft.ts'
import { withField } from '../../draft.ts'
import { Fault } from './Fault.tsx'
import { Part, useTextFault } from './Part.tsx'
import styles from './Parts.module.css'
import type { SectionProps } from './section.ts'
import { changedPart, focusPart, removedPart } from './section.ts'

export const FieldsSection = ({ draft, faults, hasTried, onChange }: SectionProps) => {
  const { t } = useTranslation('features/create')
  const nameOf = useTypeNames()
  const add = (kind: FieldKind): void => {
    const next = withField(draft, kind, { name: kind, source: null })
    onChange(next)
    focusPart(next.fields.at(-1)?.key)
  }
  return (
    <section aria-labelledby="new-fields" className={styles['section']}>
      <h2 id="new-fields" className={styles['sectionTitle']}>
        {t('fields.title')}
      </h2>
      <p className={styles['hint']}>{t('fields.hint')}</p>
      {hasTried && faults.fields && <Fault>{t(`fault.${faults.fields}`)}</Fault>}
      <ul className={styles['parts']}>
        {draft.fields.map((part) => (
          <FieldForm
            key={part.key}
            part={part}
            section={{ draft, faults, hasTried, onChange }}
            onPart={(change) => onChange({ ...draft, fields: changedPart(draft.fields, part.key, change) })}
          />
        ))}
      </ul>
      <div className={styles['add']}>
        <Menu
          trigger={
            <Button icon={PlusIcon} data-add="fields">
              {t('fields.add')}
            </Button>
          }
        >
          {fieldKindsToMake.map((kind) => (
            <MenuItem key={kind} onSelect={() => add(kind)}>
              {nameOf('field', { type: kind })}
            </MenuItem>
          ))}
        </Menu>
      </div>
    </section>
  )
}

type FormProps = {
  readonly part: FieldPart
  readonly section: SectionProps
  readonly onPart: (change: Partial<FieldPart>) => void
}

const FieldForm = ({ part, section: { draft, faults, hasTried, onChange }, onPart }: FormProps) => {
  const { t } = useTranslation('features/create')
  const nameOf = useTypeNames()
  const found = faults.parts.get(part.key)
  const faultOn = useTextFault(found, hasTried)
  const { settings } = part
  const { SettingsForm } = fieldSettingsSlice(settings)
  const rename = (name: string): void => {
    const questions = draft.questions.map((question) => {
      const renamed = creationSliceOf(question.settings).withFieldRenamed
      const settings = question.settings as SettingsOf<QuestionKind>
      return renamed === undefined ? question : { ...question, settings: renamed(settings, part.name, name) }
    })
    onChange({ ...draft, questions, fields: changedPart(draft.fields, part.key, { name }) })
  }
  return (
    <Part
      part={part}
      unnamedTitle={t('fields.unnamed')}
      faultOn={faultOn}
      onChange={({ name, ...change }) => (name === undefined ? onPart(change) : rename(name))}
      onRemove={() => {
        onChange({ ...draft, fields: removedPart(draft.fields, part.key) })
        focusPart(null, 'fields')
      }}
      kind={
        <LabelledSelect
          label={t('part.type')}
          value={fieldCreationOf(settings).kind}
          options={fieldKindsToMake.map((kind) => ({ value: kind, label: nameOf('field', { type: kind }) }))}
          onChange={(kind) => onPart({ settings: fieldCreation(kind).initial })}
        />
      }
    >
      <Switch label={t('fields.required')} checked={part.required} onChange={(required) => onPart({ required })} />
      {SettingsForm && (
        <SettingsForm
          settings={settings as FieldSettingsOf<FieldKind>}
          onChange={(next: FieldSettingsOf<FieldKind>) => onPart({ settings: next })}
        />
      )}
    </Part>
  )
}
