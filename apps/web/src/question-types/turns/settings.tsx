import type { SettingsOf } from '@postil/contract/question-types/index.ts'
import { defaultLimits } from '@postil/contract/wire/limits.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { LabelledSelect } from '#ui/controls/LabelledSelect.tsx'
import { Switch } from '#ui/controls/Switch.tsx'
import type { CreationFormProps, NearbyField, QuestionCreationSlice } from '../define-creation.ts'
import type { QuestionSettingsSlice, SettingsFormProps } from '../define-settings.ts'
import { LabelsInput } from '../shared/labels/LabelsInput.tsx'
import { labelsFault, optionsOf } from '../shared/labels/labels-text.ts'
import { OptionsForm } from '../shared/options/OptionsForm.tsx'
import { optionsFault, optionsUpdate } from '../shared/options/option-settings.ts'
import { RolesInput } from './RolesInput.tsx'
import { areRolesValid } from './roles-text.ts'

type Settings = SettingsOf<'turns'>
type Unit = Settings['unit']

const isTrace = ({ settings }: NearbyField): boolean => 'view' in settings
/** Fields whose values have turns: conversations and traces. */
const turnFields = (fields: readonly NearbyField[]): readonly NearbyField[] =>
  fields.filter((field) => field.settings.type === 'chat' || isTrace(field))
const hasTurns = (fields: readonly NearbyField[], name: string): boolean =>
  turnFields(fields).some((field) => field.name === name)
/** The roles, or the kinds of steps, that a new question asks about. */
const initialRoles = (field: NearbyField | undefined): string[] => (field && isTrace(field) ? ['llm', 'tool'] : ['assistant'])

const isScale = ({ options }: Settings): boolean => options[0]?.ordinal === 'true'
const asScale = (options: Settings['options'], isOrdinal: boolean): Settings['options'] =>
  options.map(({ ordinal: _, ...option }) => ({ ...option, ...(isOrdinal && { ordinal: 'true' as const }) }))

const withUnit = (settings: Settings, change: Partial<Unit>): Settings => {
  const unit = { ...settings.unit, ...change }
  return { ...settings, unit, allow_overlapping: !unit.exclusive }
}

const RequiredSelect = ({
  settings,
  onChange,
}: {
  readonly settings: Settings
  readonly onChange: (settings: Settings) => void
}) => {
  const { t } = useTranslation('question-types/turns')
  const choices = [
    { value: 'each', label: t('each') },
    { value: 'any', label: t('any') },
    { value: 'none', label: t('none') },
  ] as const
  return (
    <LabelledSelect
      label={t('required')}
      value={settings.unit.required}
      options={choices}
      onChange={(required) => onChange(withUnit(settings, { required }))}
    />
  )
}

const CreationForm = ({ settings, fields, fault, onChange }: CreationFormProps<'turns'>) => {
  const { t } = useTranslation('question-types/turns')
  const { t: shared } = useTranslation('question-types/shared/options')
  const isOfField = !hasTurns(fields, settings.field)
  const isOfRoles = !isOfField && !areRolesValid(settings.unit.roles)
  const choices = turnFields(fields).map(({ name, title }) => ({ value: name, label: title.trim() || name }))
  return (
    <>
      <LabelsInput
        label={shared('options.title')}
        options={settings.options}
        fault={isOfField || isOfRoles ? null : fault}
        onChange={(options) => onChange({ ...settings, options: asScale(options, isScale(settings)) })}
      />
      <LabelledSelect
        label={t('field')}
        value={settings.field}
        options={isOfField ? [{ value: settings.field, label: t('noField') }, ...choices] : choices}
        onChange={(field) => {
          const roles = initialRoles(fields.find(({ name }) => name === field))
          onChange(withUnit({ ...settings, field }, { roles }))
        }}
        fault={isOfField ? fault : null}
      />
      <RolesInput
        // The roles depend on the field. With this key, choosing another field replaces the input and discards its text.
        key={settings.field}
        roles={settings.unit.roles}
        error={isOfRoles ? fault : null}
        onChange={(roles) => onChange(withUnit(settings, { roles }))}
      />
      <RequiredSelect settings={settings} onChange={onChange} />
      <Switch
        label={t('ordinal')}
        hint={t('ordinalHint')}
        checked={isScale(settings)}
        onChange={(ordinal) => {
          const next = { ...settings, options: asScale(settings.options, ordinal) }
          onChange(ordinal ? withUnit(next, { exclusive: true }) : next)
        }}
      />
      <Switch
        label={t('several')}
        hint={t('severalHint')}
        checked={!settings.unit.exclusive}
        disabled={isScale(settings)}
        onChange={(several) => onChange(withUnit(settings, { exclusive: !several }))}
      />
    </>
  )
}

const SettingsForm = ({ settings, stored, onChange, hues, onHue }: SettingsFormProps<'turns'>) => {
  const { t } = useTranslation('question-types/turns')
  const { t: shared } = useTranslation('question-types/shared/options')
  const { roles } = stored.unit
  const fault = rolesFault(settings, stored)
  return (
    <>
      <OptionsForm
        settings={settings}
        stored={stored}
        onChange={({ options = settings.options }) => onChange({ ...settings, options })}
        colours={{ chosen: hues, onHue }}
        canHide={false}
      />
      {roles !== null && (
        <RolesInput
          roles={settings.unit.roles}
          error={fault && shared(`fault.${fault}`)}
          onChange={(next) => onChange(withUnit(settings, { roles: next }))}
        />
      )}
      <RequiredSelect settings={settings} onChange={onChange} />
      {!isScale(stored) && (
        <Switch
          label={t('several')}
          hint={t('severalHint')}
          checked={!settings.unit.exclusive}
          disabled={!stored.unit.exclusive}
          onChange={(several) => onChange(withUnit(settings, { exclusive: !several }))}
        />
      )}
    </>
  )
}

/** Roles can be added but not removed, because answers may contain labels for turns with these roles. */
const rolesFault = ({ unit: { roles } }: Settings, stored: Settings): 'roles' | null => {
  if (!areRolesValid(roles)) return 'roles'
  if (roles === null || stored.unit.roles === null) return null
  return stored.unit.roles.every((role) => roles.includes(role)) ? null : 'roles'
}

export const creation: QuestionCreationSlice<'turns'> = {
  kind: 'turns',
  order: 7,
  initial: ({ values, fields }) => ({
    type: 'span',
    postil_kind: 'turns',
    field: turnFields(fields)[0]?.name ?? fields[0]?.name ?? '',
    options: optionsOf(values?.length ? values : ['good', 'bad']),
    visible_options: null,
    allow_overlapping: false,
    allow_character_annotation: true,
    unit: {
      of: 'turn',
      // If the labels come from a file, they can be about turns of any role, and some turns may have no label.
      roles: values === null ? initialRoles(turnFields(fields)[0]) : null,
      required: values === null ? 'each' : 'none',
      exclusive: true,
    },
  }),
  CreationForm,
  withFieldRenamed: (settings, from, to) => (settings.field === from ? { ...settings, field: to } : settings),
  fault: (settings, fields) => {
    if (!hasTurns(fields, settings.field)) return 'chatField'
    return areRolesValid(settings.unit.roles) ? labelsFault(settings, { min: 1, max: defaultLimits.spanOptions }) : 'roles'
  },
}

export const settings: QuestionSettingsSlice<'turns'> = {
  kind: 'turns',
  SettingsForm,
  fault: (value, stored) => optionsFault(value, stored) ?? rolesFault(value, stored),
  update: (value) => ({
    type: 'span',
    postil_kind: 'turns',
    options: optionsUpdate(value).options,
    unit: value.unit,
  }),
  sample: () => null,
}
